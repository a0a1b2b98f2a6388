"""Record all that Spanscope prints and returns, and compare two records: a net for rearranging its inside.

    python -m tests.recording record FOLDER [--data ../shared] [--only WORD]
    python -m tests.recording compare OLD NEW [--skip WORD]

What is recorded goes through the command line (`python -m spanscope`), the names that `import spanscope` gives and
`spanscope.viewer.write` alone: no other module is named here, so they may all move. PYTHONPATH says which
source tree is recorded.
"""
