"""What the documentation site has beside the files of this folder, made when it is built.

A page for each measure from its docstring, the JSON schemas, what figures are checked against, and links from the
first use of a term on a page to the glossary. MkDocs calls the functions `on_...`; `make site` builds the site.
"""

from __future__ import annotations

import json
import re
import runpy
import textwrap
from collections import defaultdict
from pathlib import Path
from typing import Any

import spanscope

HERE = Path(__file__).parent
example = runpy.run_path(str(HERE / "site_pictures.py"))["example"]  # MkDocs loads this file alone
typeset = runpy.run_path(str(HERE / "site_formulas.py"))["typeset"]
typeset = runpy.run_path(str(HERE / "site_formulas.py"))["typeset"]
SCHEMAS = Path(spanscope.__file__).parent / "results" / "schemas"
ORACLES = HERE.parent / "tests" / "oracles"
PART = re.compile(r"(Counts|Undefined|Source|Differs|Checked) {2,}(.*)")
FAMILIES = {"spans": "Labelled spans", "segments": "Segments", "tokens": "Tokens", "passages": "Passages"}
FAMILIES |= {"agreement": "Agreement"}
TERM = re.compile(r"^### (.+)$", re.MULTILINE)
UNLINKED = re.compile(
    r"(```(?s:.*?)```|<(?:p|div) class=[^\n]*|`[^`\n]*`|!?\[[^\]]*\]\([^)]*\)|^(?:#|\||    |>)[^\n]*$|https?://\S+)",
    re.MULTILINE,
)


def escaped(text: str) -> str:
    """Return plain words as Markdown that shows them unchanged; what stands in backticks stays code."""
    parts = text.split("`")
    plain = [re.sub(r"([*_|\\])", r"\\\1", part).replace("<", "&lt;") for part in parts[::2]]
    code = [f"`{part}`" for part in parts[1::2]]
    return "".join(word for pair in zip(plain, [*code, ""], strict=False) for word in pair)


def parts_of(doc: str) -> tuple[list[str], dict[str, str]]:
    """Return the paragraphs of a measure's docstring, and what it says under Counts, Undefined and the like."""
    words, said, last = [], {}, ""
    for line in doc.splitlines():
        if found := PART.match(line):
            last = found[1]
            said[last] = found[2]
        elif last and line.startswith("  "):
            said[last] += " " + line.strip()
        elif line.strip() or not last:
            last = ""
            words.append(line)
    return [block for block in re.split(r"\n\s*\n", "\n".join(words)) if block.strip()], said


def measure_page(name: str) -> str:
    """Return the page of a measure."""
    definition = spanscope.known()[name]
    paragraphs, said = parts_of(definition.doc)
    out = [f"# {name}", ""]
    for block in paragraphs:
        formula = block.startswith("    ")
        out += [typeset(block) if formula else escaped(block), ""]
    defaults = (
        {key: value.default for key, value in definition.parameters.items()} if definition.parameters else {}
    )
    if defaults:
        out += ["## Parameters", "", "| parameter | default |", "| --- | --- |"]
        out += [*(f"| `{key}` | `{value}` |" for key, value in defaults.items()), ""]
    out += [example(name), "## In short", "", *(f"**{key}.** {escaped(text)}\n" for key, text in said.items())]
    call = f"spanscope eval gold.jsonl pred.jsonl -m '{spanscope.parse(name)}'"
    if not name.startswith("agreement."):
        out += ["## Calling it", "", f"    {call}", ""]
    return "\n".join(out)


def measures_page() -> str:
    """Return the list of measures, by family, each with the first sentence about it."""
    out = ["# Every measure", "", "Each page is made from the definition beside the code.", ""]
    for family, title in FAMILIES.items():
        out += [f"## {title}", "", "| measure | what it does |", "| --- | --- |"]
        for name, one in spanscope.known().items():
            if name.startswith(f"{family}."):
                out.append(f"| [{name}]({name}.md) | {escaped(one.summary)} |")
        out.append("")
    return "\n".join(out)


def schemas_page() -> str:
    """Return the fields of every form of result that is written as JSON."""
    out = [
        "# JSON schemas",
        "",
        "Every result in JSON validates against a schema that ships with the package",
    ]
    out += ["(`spanscope/results/schemas/`). An incompatible change gets a new number.", ""]
    for path in sorted(SCHEMAS.glob("*.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        out += [f"## {path.stem}", "", escaped(schema.get("description", schema["title"])), ""]
        out += [
            f"[The schema itself](schemas/{path.name})",
            "",
            "| field | type | meaning |",
            "| --- | --- | --- |",
        ]
        for name, one in schema["properties"].items():
            needed = "" if name in schema.get("required", ()) else ", may be absent"
            meaning = escaped(" ".join(one.get("description", "").split()))
            out.append(f"| `{name}` | {_type_of(one)}{needed} | {meaning} |")
        out.append("")
    return "\n".join(out)


def _type_of(one: dict[str, Any]) -> str:
    own = one.get("type")
    if own is None:
        several = [_type_of(choice) for choice in (*one.get("anyOf", ()), *one.get("oneOf", ()))]
        return "one value" if "const" in one else " or ".join(several) or "see the schema"
    return " or ".join(own) if isinstance(own, list) else str(own)


def conformance_page() -> str:
    """Return what the tests hold the figures to: the files of other tools' figures, and what each measure says."""
    out = [
        "# Conformance",
        "",
        "The tests compare the figures of Spanscope with those of other tools. This page is made from them.",
        "",
    ]
    out += [
        "## Figures of other tools",
        "",
        "Each file in `tests/oracles/` has input for a tool and the output of this tool.",
    ]
    out += ["", "| file | cases | tool and version |", "| --- | --: | --- |"]
    for path in sorted(ORACLES.glob("*.json")):
        own = json.loads(path.read_text(encoding="utf-8"))
        out.append(f"| `{path.name}` | {_cases(own):,} | {escaped(_made_by(own))} |")
    out += ["", "## By measure", "", "If a measure differs from a tool on purpose, the last column says how. The"]
    out += ["[protocol](differences.md) named after the tool gives the figures of the tool itself.", ""]
    out += ["| measure | checked against | differs |", "| --- | --- | --- |"]
    for name, one in spanscope.known().items():
        said = defaultdict(str, parts_of(one.doc)[1])
        out.append(f"| [{name}](measures/{name}.md) | {escaped(said['Checked'])} | {escaped(said['Differs'])} |")
    return "\n".join([*out, ""])


def _cases(own: Any) -> int:
    """Return how many cases a file has: its list of them, or the longest that it has."""
    lists = [own] if isinstance(own, list) else [own["cases"]] if "cases" in own else own.values()
    return max((len(one) for one in lists if isinstance(one, (list, dict))), default=0)


def _made_by(own: Any) -> str:
    """Return the tools and versions that a file names, as it names them."""
    meta = own.get("meta", own) if isinstance(own, dict) else {}
    words = [str(meta[key]) for key in SAID if isinstance(meta.get(key), str)]
    tools = {**meta.get("tools", {}), **{key: meta[key] for key in TOOLS if isinstance(meta.get(key), str)}}
    known = [*words, *(f"{name} {version}" for name, version in tools.items())]
    return textwrap.shorten("; ".join(known or map(str, meta)), 300)


SAID = ("what", "made_by", "source", "code", "engine", "engines", "note")
TOOLS = ("segeval", "nltk", "mir_eval", "pygamma_agreement", "numpy", "pandas")


def made() -> dict[str, str]:
    """Return every page that is made, by its path on the site."""
    pages = {f"measures/{name}.md": measure_page(name) for name in spanscope.known()}
    pages |= {
        "measures/index.md": measures_page(),
        "schemas.md": schemas_page(),
        "conformance.md": conformance_page(),
    }
    return pages | {f"schemas/{path.name}": path.read_text(encoding="utf-8") for path in SCHEMAS.glob("*.json")}


def terms() -> list[str]:
    """Return the terms of the glossary, the longest first."""
    return sorted(TERM.findall((HERE / "glossary.md").read_text(encoding="utf-8")), key=len, reverse=True)


def with_links(text: str, path: str, words: list[str]) -> str:
    """Return a page on which the first use of each term of the glossary in its prose leads there."""
    up = "../" * path.count("/")
    pieces = UNLINKED.split(text)
    found = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, words))})(?![\w-])")
    seen: set[str] = set()

    def linked(match: re.Match[str]) -> str:
        word = match[0]
        if word in seen:
            return word
        seen.add(word)
        return f"[{word}]({up}glossary.md#{word.replace(' ', '-')})"

    for at in range(0, len(pieces), 2):  # the others are code, links, headings, tables
        pieces[at] = found.sub(linked, pieces[at])
    return "".join(pieces)


def on_config(config: Any) -> Any:
    """Put the pages that are made into the navigation."""
    by_family = [
        {title: [f"measures/{name}.md" for name in spanscope.known() if name.startswith(f"{family}.")]}
        for family, title in FAMILIES.items()
    ]
    config.nav.append({"Measures": ["measures/index.md", *by_family]})
    reference = next(one["Reference"] for one in config.nav if "Reference" in one)
    reference += [{"JSON schemas": "schemas.md"}, {"Conformance": "conformance.md"}]
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are made."""
    from mkdocs.structure.files import File

    for path, text in made().items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Link terms to the glossary."""
    path = page.file.src_uri
    return markdown if path == "glossary.md" else with_links(markdown, path, terms())
