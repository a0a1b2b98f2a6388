"""XML files parsed: no entity is expanded and nothing outside of the file is opened."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple, NoReturn
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from spanscope.errors import InputError, shown

CHILDREN = 2  # the depth of elements whose lines are kept: those right below the root


class Tree(NamedTuple):
    """The root of a file, and the lines on which the elements below it begin."""

    root: Element
    lines: dict[Element, int]


def parse_xml(data: bytes, name: str) -> Tree:
    """Return the elements of a file; names with a namespace are written `{namespace}name`."""
    builder, lines, open_now = TreeBuilder(), dict[Element, int](), []
    parser = expat.ParserCreate("utf-8" if _is_utf8(data) else None, "}")
    parser.buffer_text = True

    def start(tag: str, attributes: dict[str, str]) -> None:
        element = builder.start(_qualify(tag), {_qualify(key): own for key, own in attributes.items()})
        open_now.append(tag)
        if len(open_now) == CHILDREN:
            lines[element] = parser.CurrentLineNumber

    def end(tag: str) -> None:
        builder.end(_qualify(tag))
        open_now.pop()

    def refuse(*_: object) -> NoReturn:
        raise InputError(
            "declares or uses an entity of its own",
            where=f"{name}:{parser.CurrentLineNumber}",
            expected="XML without entities: they can make a small file fill the memory",
            hint=f"xmllint --noent {name} > FILE   where the file can be trusted",
        )

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, builder.data
    parser.EntityDeclHandler = parser.SkippedEntityHandler = refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        words = expat.ErrorString(error.code)
        raise InputError(f"is not valid XML ({words})", where=f"{name}:{error.lineno}", expected="XML") from None
    return Tree(builder.close(), lines)


def refuse_text_between(root: Element, names: Collection[str], where: str) -> None:
    """Refuse a text in elements that hold only other elements: a part of another file, most likely."""
    for parent in root.iter():
        if local(parent.tag) not in names:
            continue
        for text in (parent.text, *(child.tail for child in parent)):
            if text and text.strip():
                what = f"the element {local(parent.tag)} has a text of its own: {shown(text.strip())}"
                raise InputError(what, where=where, expected="only elements there")


def local(tag: str) -> str:
    """Return the name of an element without its namespace.

    >>> local("{http:///uima/cas.ecore}Sofa")
    'Sofa'
    """
    return tag.rpartition("}")[2]


def _qualify(name: str) -> str:
    return "{" + name if "}" in name else name


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
