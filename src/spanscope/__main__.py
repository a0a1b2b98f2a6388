"""`python -m spanscope` is the command `spanscope`."""

from spanscope.cli import main

main()
