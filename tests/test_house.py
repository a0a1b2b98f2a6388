"""The rules of the house, read from the source: who may import whom, where division lives, how long things get."""

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import spanscope
from tests.cli import environment

SOURCE = Path(spanscope.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))
# The rooms of the house, from the top down: each imports from those above it.
ROOMS = (
    *("errors", "plugins", "system", "arguments", "arithmetic", "jsonable"),
    *("data", "io", "families", "sides", "locating", "match", "counts", "rates", "measures", "stats", "findings"),
    *("settings", "results", "engines", "commands"),
    *("report", "viewer", "adapters", "serve", "cli"),
)
RENDERING = {("results", "report"), ("results", "viewer")}  # methods of results import these when they are called
LINES, MOSTLY, LENGTH = 420, 250, 40
ROOT = {"__init__", "__main__"}
Function = ast.FunctionDef | ast.AsyncFunctionDef

# Division that is not arithmetic on counts or on lengths of spans, each with its reason.
DIVISIONS = {
    "cli/scoring.py:demo": "a path",
    "io/opening.py:_nearby": "a path",
    "io/passages/library.py:Library._bytes": "a path",
    "match/ranking.py:share_of": "plain numbers, one query at a time: bit-identical to trec_eval, and fast",
    "match/ranking.py:_dcg": "likewise, once for every document that was found",
    "match/ranking.py:precisions": "likewise",
    "measures/passages/answer_texts.py:_f1": "plain numbers, once for every pair of texts",
    "measures/passages/legal_texts.py:_discount": "the discount of a rank, a table of them",
    "stats/exact.py:deviation": "whole numbers of any length, of which Python rounds the quotient once",
    "stats/student.py:_integral": "a number that stands in the source, once for every step of Newton's method",
    "measures/tools/presidio_rules.py:_reaches": "a NumPy call for every span would take most of the time",
}
# Asserts that tell the type checker what the caller has made sure of; none is about input.
NARROWING = ("sides/texts.py:_texts_at", "sides/join.py:_take")
# Functions that may be longer than LENGTH, each with its reason.
LONG = {
    "commands/agree/__init__.py:agree": "its parameters are the settings, a line each",
    "cli/locate.py:locate": "its parameters are the options of the command, a line each",
    "cli/agree.py:agree": "its parameters are the options of the command, a line each",
    "cli/compare.py:compare": "its parameters are the options of the command, a line each",
    "cli/compare.py:plan": "its parameters are the options of the command, a line each",
    "cli/scoring.py:eval_": "its parameters are the options of the command, a line each",
    "commands/evaluate.py:evaluate": "its parameters are all the settings there are, a line each",
    "commands/compare.py:compare": "likewise",
    "commands/panel.py:panel": "likewise",
    "settings/settle.py:settle": "likewise",
}
FREE = ("arithmetic.py", "match/similarity.py", "rates.py", "report/")


def relative(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def room(path: Path) -> str:
    """Return the module a file belongs to; a package counts as one."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), relative(path))


def functions(node: ast.AST, within: str = "") -> Iterator[tuple[str, Function]]:
    """Return every function with its name, the classes and functions around it before the dot."""
    for child in ast.iter_child_nodes(node):
        name = within
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            name = f"{within}.{child.name}" if within else child.name
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield name, child
        yield from functions(child, name)


# ---------------------------------------------------------------- imports


def for_types_only(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def imports(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Return the modules of ours that are imported, with the line, except those for types only."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt) and for_types_only(child):
            continue
        if isinstance(child, ast.Import):
            yield from ((child.lineno, alias.name) for alias in child.names)
        if isinstance(child, ast.ImportFrom):
            assert child.level == 0, "imports are absolute"
            if child.module == "spanscope":
                yield from ((child.lineno, f"spanscope.{a.name}") for a in child.names if a.name != "__version__")
            else:
                yield child.lineno, child.module or ""
        yield from imports(child)


def test_every_module_has_its_place() -> None:
    assert {room(path) for path in FILES} - ROOT == set(ROOMS)


@pytest.mark.parametrize("path", [p for p in FILES if room(p) not in ROOT], ids=relative)
def test_imports_point_upwards(path: Path) -> None:
    """Rooms import from rooms above them only, lazily or not."""
    own = room(path)
    wrong = []
    for line, name in imports(tree(path)):
        if name.split(".")[0] != "spanscope":
            continue
        other = name.split(".")[1] if "." in name else ""
        if other == own or (own, other) in RENDERING:
            continue
        if other not in ROOMS or ROOMS.index(other) > ROOMS.index(own):
            wrong.append(f"{relative(path)}:{line} imports {name}")
    assert wrong == []


def test_nothing_imports_the_adapters() -> None:
    """What people do not call of other libraries' bridges costs them nothing."""
    users = {
        room(path) for path in FILES for _, name in imports(tree(path)) if name.startswith("spanscope.adapters")
    }
    assert users == {"adapters"}


def module(path: Path) -> str:
    return ".".join(("spanscope", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__")


def depends(path: Path, known: Mapping[str, Path]) -> set[str]:
    """Return the modules that a file imports, lazily or not; methods of results may import the report."""
    out = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            named = {f"{node.module}.{alias.name}" for alias in node.names}
            out |= (named & {*known}) or ({node.module} & {*known})
    kept = {name for name in out if (room(path), name.split(".")[1]) not in RENDERING} - {"spanscope"}
    return (
        kept
        - {f"{node.module}.{a.name}" for node in types_of(path) for a in node.names}
        - {str(node.module) for node in types_of(path)}
    )


def types_of(path: Path) -> list[ast.ImportFrom]:
    """Return the imports that only the type checker sees."""
    blocks = [node for node in ast.walk(tree(path)) if isinstance(node, ast.stmt) and for_types_only(node)]
    return [node for block in blocks for node in ast.walk(block) if isinstance(node, ast.ImportFrom)]


def test_no_cycles() -> None:
    """No module imports itself by way of others."""
    known = {module(path): path for path in FILES if room(path) not in ROOT}
    graph = {name: depends(path, known) - {name} for name, path in known.items()}
    list(TopologicalSorter(graph).static_order())  # raises a CycleError that names the circle


# ---------------------------------------------------------------- arithmetic


def by_number(node: ast.BinOp | ast.AugAssign) -> bool:
    """Tell a division by a number that stands in the source, such as 2 or 2**32: it can never be 0/0."""
    divisor = ast.unparse(node.right if isinstance(node, ast.BinOp) else node.value)
    return re.fullmatch(r"[1-9][0-9_]*(\*\*[1-9][0-9]*)?", divisor.replace(" ", "")) is not None


def divisions(path: Path) -> list[str]:
    """Return `file:function` of every `/`, and `file:` for those outside of functions, but of `/ 2`."""
    whole = tree(path)
    inside = {id(node): name for name, function in functions(whole) for node in ast.walk(function)}
    return [
        f"{relative(path)}:{inside.get(id(node), '')}"
        for node in ast.walk(whole)
        if isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.Div) and not by_number(node)
    ]


def test_division_lives_in_one_place() -> None:
    """Counts and lengths are divided by `ratio` only, so that 0/0 is decided once; halves are halves."""
    found = {place for path in FILES if not relative(path).startswith(FREE) for place in divisions(path)}
    assert found == set(DIVISIONS)


# ---------------------------------------------------------------- size and manners


def test_files_are_short() -> None:
    """A file is one concept, which mostly fits on a few screens."""
    sizes = {relative(path): len(path.read_text(encoding="utf-8").splitlines()) for path in FILES}
    assert {name: size for name, size in sizes.items() if size > LINES} == {}
    assert sum(size > MOSTLY for size in sizes.values()) * 4 < len(sizes)


def length(function: Function) -> int:
    """Return how many lines a function has, its docstring left out."""
    first = function.body[0]
    documented = ast.get_docstring(function) is not None
    doc = (first.end_lineno or 0) - first.lineno + 1 if documented else 0
    return (function.end_lineno or 0) - function.lineno + 1 - doc


def test_functions_are_short() -> None:
    found = {
        f"{relative(path)}:{name}": length(function)
        for path in FILES
        for name, function in functions(tree(path))
        if length(function) > LENGTH
    }
    assert {name: size for name, size in found.items() if name not in LONG} == {}


def test_no_assert_on_input() -> None:
    """Input is refused by exceptions that say what to do; `python -O` would drop an assert."""
    found = {
        f"{relative(path)}:{name}"
        for path in FILES
        for name, function in functions(tree(path))
        for node in ast.walk(function)
        if isinstance(node, ast.Assert)
    }
    assert found == set(NARROWING)


# ---------------------------------------------------------------- public names


def test_public_names() -> None:
    assert sorted(spanscope.__all__) == sorted([*spanscope._HOMES, "__version__"])
    assert dir(spanscope) == sorted(spanscope.__all__)
    with pytest.raises(AttributeError, match="module 'spanscope' has no attribute 'nothing'"):
        _ = spanscope.nothing
    for name, home in spanscope._HOMES.items():
        assert home.partition(".")[0] in ROOMS, name


def alone(code: str) -> str:
    """Run Python code in a process of its own and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment()
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


ALL = "import sys, importlib, spanscope\n"
SAME = (
    "wrong = [n for n, home in spanscope._HOMES.items()"
    " if getattr(spanscope, n) is not getattr(sys.modules['spanscope.' + home], n)]\nprint(wrong)"
)


def test_public_names_import() -> None:
    assert alone(f"{ALL}from spanscope import *\n{SAME}") == "[]\n"


def test_public_names_are_not_hidden_by_modules() -> None:
    """A public function stays what it is, whatever modules are imported."""
    homes = sorted(set(spanscope._HOMES.values()))
    load = "".join(f"importlib.import_module('spanscope.{home}')\n" for home in homes)
    assert alone(f"{ALL}{load}{SAME}") == "[]\n"


def test_measure_decorator_survives_an_evaluation() -> None:
    code = "import spanscope\nspanscope.evaluate([], [], 'spans.exact')\nprint(type(spanscope.measure).__name__)"
    assert alone(code) == "function\n"


# ---------------------------------------------------------------- what is loaded when


def loaded(code: str) -> set[str]:
    return set(alone(f"{code}\nimport sys\nprint(*sys.modules)").split()[-5000:])


def test_import_is_light() -> None:
    assert not {"numpy", "scipy", "msgspec", "rich", "typer", "pandas"} & loaded("import spanscope")


@pytest.mark.parametrize("args", [["--help"], ["--version"], ["eval", "--help"]])
def test_help_is_light(args: list[str]) -> None:
    code = f"import sys\nsys.argv = {['spanscope', *args]!r}\nfrom spanscope.cli import main\n"
    code += "try:\n    main()\nexcept SystemExit:\n    pass\n"
    assert not {"numpy", "scipy", "rich.table", "pandas", "msgspec"} & loaded(code)


def test_evaluation_does_not_need_pandas() -> None:
    code = "import spanscope\nspanscope.evaluate([], [], 'spans.exact')"
    assert not {"pandas", "rich", "typer"} & loaded(code)


ABROAD = {"scipy", "pandas", "pyarrow", "matplotlib", "rich", "multiprocessing", "concurrent.futures", "asyncio"}
ABROAD |= {"json", "tempfile", "socket", "ssl", "http", "email", "importlib.metadata", "xml"}
ABROAD |= {"numpy.ma", "numpy.random"}
ELSEWHERE = {f"commands.{name}" for name in ("agree", "check", "compare", "panel", "plan", "rt_seg", "slider")}
ELSEWHERE |= {
    f"engines.{name}" for name in ("dispatch", "partial_sums", "processes", "spark", "streaming", "totals")
}
ELSEWHERE |= {"io.segments.reading", "io.tokens.reading", "io.tokens.schemes", "measures.passages.answers"}
ELSEWHERE |= {"measures.segments.boundaries", "measures.tokens.tagged", "report.terminal", "results.gate"}
ELSEWHERE |= {f"report.{name}" for name in ("csv", "html", "json", "latex", "markdown", "tables.panel")}
ELSEWHERE |= {"serve", "viewer", "report.pages", "results.saved_counts", "stats.jackknife"}
ELSEWHERE |= {f"cli.{name}" for name in ("about", "agree", "compare", "plot", "report", "serve")}
ELSEWHERE |= {"adapters", "report.github", "report.junit"}
ELSEWHERE |= {"io.broken_json", "io.passages.reading", "measures.spans.semeval"}


def test_scoring_spans_loads_nothing_else(tmp_path: Path) -> None:
    """What the evaluation of a small corpus need not wait for: benchmarks/startup.py says what it takes."""
    documents = [{"id": at, "text": "a b", "spans": [[0, 1, "A"], [2, 3, "B"]]} for at in range(3)]
    (tmp_path / "gold.jsonl").write_text("\n".join(map(json.dumps, documents)), encoding="utf-8")
    code = f"import os, sys\nos.chdir({str(tmp_path)!r})\nsys.argv = ['spanscope', 'eval', *2 * ['gold.jsonl']]\n"
    found = loaded(f"{code}from spanscope.cli import main\ntry:\n    main()\nexcept SystemExit:\n    pass\n")
    assert {"numpy", "spanscope.measures.spans.matching", "spanscope.report.plain"} <= found
    assert found & {*ABROAD, *(f"spanscope.{name}" for name in ELSEWHERE)} == set()


# ---------------------------------------------------------------- definitions


@pytest.mark.parametrize("name", spanscope.known())
def test_definitions_are_whole(name: str) -> None:
    """Every measure says what it counts, when it is undefined, where it comes from and how it was checked."""
    lines = spanscope.known()[name].doc.splitlines()
    assert lines[0].endswith(".")
    sections = [line.split("  ")[0].rstrip() for line in lines if line[:1].isupper() and "  " in line]
    wanted = ["Counts", "Undefined", "Source", "Checked"]
    assert [section for section in sections if section in wanted] == wanted
    assert set(sections) - {"Differs"} >= set(wanted)
    assert max(map(len, lines)) <= 115


@pytest.mark.parametrize("name", spanscope.known())
def test_what_a_definition_was_checked_against_exists(name: str) -> None:
    doc = spanscope.known()[name].doc
    named = [word.strip(".;,") for word in doc.split() if word.startswith("tests/")]
    missing = [word for word in named if not (SOURCE.parent.parent / word).exists()]
    assert named
    assert missing == []


def test_parameters_are_explained() -> None:
    """Each parameter that can be set is named in the text of its measure."""
    missing = [
        f"{name}({parameter})"
        for name, definition in spanscope.known().items()
        for parameter in definition.parameters
        if parameter not in definition.doc
    ]
    assert missing == []
