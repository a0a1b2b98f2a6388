"""Formulas of docstrings as MathML: the plain text of a definition, typeset when the site is built.

Browsers draw MathML themselves, so that no page needs a script or a font of another host. What stands beside a
formula in words stays text, which wraps on a narrow page.
"""

from __future__ import annotations

import re
from html import escape

TOKEN = re.compile(
    r"`[^`]+`|\d+(?:\.\d+)?|l\.\.|\.\.|!=|<=|>=|[^\W\d_]\w*(?:'[a-z]+)?(?:-(?=[a-z]{2})[^\W\d_]+)?|\s{3,}|\s+|.",
    re.UNICODE,
)
SIGNS = {"!=": "≠", "<=": "≤", ">=": "≥", "*": "⋅", "-": "−", "..": "…"}
RELATIONS = {"=", "!=", "<=", ">=", "<", ">", ".."}
SUMS = {"+", "-", "∩", "∪"}
CLOSING = {")": "(", "]": "["}
Node = tuple[bool, str]  # whether it is plain text, and the text or the MathML


def rows_of(block: str) -> list[str]:
    """Return the formulas of an indented block, one a row: a line that goes on belongs to the one before."""
    lines = [line for line in block.splitlines() if line.strip()]
    usual = min(len(line) - len(line.lstrip()) for line in lines)
    rows: list[str] = []
    for line in lines:
        is_deeper = len(line) - len(line.lstrip()) > usual or line.lstrip()[0] in "/+*"
        goes_on = rows and (is_deeper or "=" not in rows[-1] + line)
        rows = [*rows[:-1], f"{rows[-1]} {line.strip()}"] if goes_on else [*rows, line.strip()]
    return rows


def typeset(block: str) -> str:
    """Return a block of formulas as HTML, a paragraph for each."""
    return "\n".join(f'<p class="formula">{_Reader(row).row()}</p>' for row in rows_of(block))


class _Reader:
    """Reads one row: relations of sums of products, with words between them."""

    def __init__(self, row: str) -> None:
        self.tokens = TOKEN.findall(row)
        self.at = 0
        self.bars = 0

    def row(self) -> str:
        out, math = "", ""
        for is_text, own in [*self._items(()), (True, "")]:
            if not is_text:
                math += own
                continue
            if math:
                out += f'<math displaystyle="true">{math}</math>'
                math = ""
            out += escape(own)
        return out

    def _items(self, ends: tuple[str, ...]) -> list[Node]:
        """Read to a closing sign: sums, relations between them, and whatever else there is."""
        out: list[Node] = []
        while (token := self._peek()) is not None and token not in ends:
            if token in RELATIONS:
                out.append((False, _sign(self._next())))
            elif token.isspace():
                wide = len(self._next()) > 2 and self._peek() != "="  # a gap, and no alignment of equals signs
                out.append((True, "\u2003" if wide else " "))
            elif token in ",;:" or token in CLOSING:
                self.at += 1
                out.append((True, token))
            else:
                out += self._sum(ends)
        return out

    def _sum(self, ends: tuple[str, ...]) -> list[Node]:
        out = [] if self._peek() == "-" else self._product(ends)
        while (token := self._after_blanks()) in SUMS:
            self._skip_blanks()
            out += [(False, _sign(self._next()))]
            self._skip_blanks()
            out += self._product(ends) if token else []
        return out

    def _product(self, ends: tuple[str, ...]) -> list[Node]:
        out = self._factors(ends)
        while (token := self._after_blanks()) in ("*", "/"):
            self._skip_blanks()
            self.at += 1
            self._skip_blanks()
            more = self._factors(ends)
            if token == "/":
                out = [(False, f"<mfrac>{_inside(out)}{_inside(more)}</mfrac>")]
            else:
                out = [*out, (False, _sign("*")), *more]
        return out

    def _factors(self, ends: tuple[str, ...]) -> list[Node]:
        """Read what stands side by side: words that belong together, names, numbers and brackets."""
        out: list[Node] = []
        while (token := self._peek()) is not None and token not in (*ends, *RELATIONS, *SUMS, *CLOSING, *"*/,;:"):
            if token.isspace():
                after = self._after_blanks()
                if len(token) > 2 or after is None or after in (*ends, *RELATIONS, *SUMS, *CLOSING, *"*/"):
                    break
                self.at += 1
                out.append((True, " "))
            elif token in ("sum", "mean") and (over := self._over()):
                self.at += len(over) + 1
                return [*out, *_operator(token, over), *self._product(ends)]
            elif token == "|" and self.bars and out:
                break
            elif token == "|" and out and self.tokens[self.at + 1 : self.at + 2] == [" "]:
                self.at += 1  # given, as in H(gold | pred)
                out.append((False, "<mo>|</mo>"))
            else:
                out.append(self._raised(self._atom()))
        return out

    def _over(self) -> list[str]:
        """Return the tokens of `over ... of` that follow, if they do."""
        rest = self.tokens[self.at + 1 :]
        if "".join(rest[:2]).strip() != "over" or "of" not in rest:
            return []
        upto = rest[: rest.index("of") + 1]
        return [] if {",", ";", "/"} & set(upto) else upto

    def _atom(self) -> Node:
        token = self._next()
        if token in ("(", "["):
            closing = ")" if token == "(" else "]"
            own = _math(self._items((closing,)))
            self.at += 1
            return False, f"<mrow><mo>{token}</mo>{own}<mo>{closing}</mo></mrow>"
        if token == "|":
            self.bars += 1
            own = _math(self._items(("|",)))
            self.bars -= 1
            if self._peek() is None:
                return False, f"<mo>|</mo>{own}"
            self.at += 1
            return False, f"<mrow><mo>|</mo>{own}<mo>|</mo></mrow>"
        if token[0] == "`":
            return True, token[1:-1]
        return _name(token)

    def _raised(self, node: Node) -> Node:
        if self._peek() == "²":
            self.at += 1
            return False, f"<msup><mrow>{_math([node])}</mrow><mn>2</mn></msup>"
        if self._peek() != "^":
            return node
        self.at += 1
        return False, f"<msup><mrow>{_math([node])}</mrow><mrow>{_inside([self._atom()])}</mrow></msup>"

    def _peek(self) -> str | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def _next(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def _after_blanks(self) -> str | None:
        at = self.at
        while at < len(self.tokens) and self.tokens[at].isspace():
            at += 1
        return self.tokens[at] if at < len(self.tokens) else None

    def _skip_blanks(self) -> None:
        while (token := self._peek()) is not None and token.isspace():
            self.at += 1


def _sign(token: str) -> str:
    return f"<mo>{escape(SIGNS.get(token, token))}</mo>"


def _name(token: str) -> Node:
    """Return a number, a letter, a name with an index, or a word."""
    if token[0].isdigit():
        return False, f"<mn>{token}</mn>"
    letter, _, index = token.partition("_")
    if index and (letter == "alpha" or (len(letter) == 1 and len(index) <= len("pred"))):
        return False, f"<msub><mi>{_letter(letter)}</mi><mtext>{escape(index)}</mtext></msub>"
    if token == "l..":
        return False, "<msub><mi>l</mi><mo>⋅⋅</mo></msub>"
    if token in LETTERS or (len(token) == 1 and token.isalpha() and token != "a"):
        return False, f"<mi>{_letter(token)}</mi>"
    if len(token) == 2 and token[1].isupper() and token != "MI":
        return False, "".join(f"<mi>{one}</mi>" for one in token)
    if not token[0].isalpha():
        return False, f"<mo>{escape(token)}</mo>"
    return True, token


LETTERS = {"sigma": "σ"}


def _letter(token: str) -> str:
    return {**LETTERS, "alpha": "α"}.get(token, token)


def _operator(word: str, over: list[str]) -> list[Node]:
    """Return a sum or a mean over something."""
    range_ = "".join(over[2:-1]).strip().replace(">=", "≥")
    if word == "sum":
        return [(False, f"<munder><mo>∑</mo><mtext>{escape(range_)}</mtext></munder>")]
    return [(True, f"mean over {range_} of")]


def _math(nodes: list[Node]) -> str:
    """Return nodes as MathML, neighbouring words as one text."""
    out = ""
    words = ""
    for is_text, own in [*nodes, (False, "")]:
        if is_text:
            words += own
            continue
        if words:
            out += f"<mtext>{escape(words).replace(' ', chr(160))}</mtext>"
            words = ""
        out += own
    return out


def _inside(nodes: list[Node]) -> str:
    """Return nodes as one row, without the brackets around all of them: a fraction or an index needs none."""
    kept = [node for node in nodes if node != (True, " ")]
    if len(kept) == 1 and (found := re.fullmatch(r"<mrow><mo>\(</mo>(.*)<mo>\)</mo></mrow>", kept[0][1])):
        return f"<mrow>{found[1]}</mrow>"
    return f"<mrow>{_math(nodes)}</mrow>"
