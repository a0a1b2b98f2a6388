"""Tag sequences read token by token in plain Python, one sentence at a time: twins of spanscope.tags."""

Found = list[tuple[str, int, int]]  # label, first token, the token after the last
Token = tuple[str, str]  # what a prefix does in IOBES letters, and the type

LETTERS = {
    "IOB1": {"I": "I", "B": "B"},
    "IOB2": {"I": "I", "B": "B"},
    "IOE1": {"I": "I", "E": "E"},
    "IOE2": {"I": "I", "E": "E"},
    "IOBES": {"B": "B", "I": "I", "E": "E", "S": "S"},
    "BILOU": {"B": "B", "I": "I", "L": "E", "U": "S"},
    "BMES": {"B": "B", "M": "I", "E": "E", "S": "S"},
}
ANY = "OBIES"
Patterns = list[tuple[str, str, str]]
STARTS: dict[str, Patterns] = {
    "IOB1": [("O", "I", "*"), ("I", "I", "d"), ("B", "I", "*"), ("I", "B", "s"), ("B", "B", "s")],
    "IOE1": [("O", "I", "*"), ("I", "I", "d"), ("E", "I", "*"), ("E", "E", "s")],
    "IOB2": [(ANY, "B", "*")],
    "IOE2": [("OE", "IE", "*"), ("I", "IE", "d")],
    "IOBES": [(ANY, "BS", "*")],
}
INSIDE: dict[str, Patterns] = {
    "IOB1": [("BI", "I", "s")],
    "IOE1": [("I", "IE", "s")],
    "IOB2": [("BI", "I", "s")],
    "IOE2": [("I", "IE", "s")],
    "IOBES": [("BI", "IE", "s")],
}
ENDS: dict[str, Patterns] = {
    "IOB1": [("I", "I", "d"), ("I", "OB", "*"), ("B", "O", "*"), ("B", "I", "d"), ("B", "B", "s")],
    "IOE1": [("I", "I", "d"), ("I", "O", "*"), ("I", "E", "d"), ("E", "I", "s"), ("E", "E", "s")],
    "IOB2": [("I", "OB", "*"), ("BI", "I", "d"), ("B", "OB", "*")],
    "IOE2": [("E", ANY, "*")],
    "IOBES": [("ES", ANY, "*")],
}


def io(tags: list[str]) -> Found:
    """Return runs of equal tags."""
    out: Found = []
    for i, tag in enumerate(tags):
        if tag == "O":
            continue
        if out and out[-1][0] == tag and out[-1][2] == i:
            out[-1] = (tag, out[-1][1], i + 1)
        else:
            out.append((tag, i, i + 1))
    return out


def seqeval(tags: list[str]) -> Found:
    """Return what seqeval finds by default."""
    return lenient([(tag[0], tag[1:].split("-", 1)[-1] or "_") for tag in tags])


def lenient(tokens: list[Token]) -> Found:
    """Follow seqeval's tests of where a chunk ends and starts."""
    out: Found = []
    begin, before, type_before = 0, "O", ""
    for i, (kind, type_) in enumerate([*tokens, ("O", "_")]):
        other = type_ != type_before
        ends = before in "ES" or (before in "BI" and kind in "BSO") or (before not in "O." and other)
        starts = kind in "BS" or (kind in "EI" and before in "ESO") or (kind not in "O." and other)
        if ends:
            out.append((type_before, begin, i))
        if starts:
            begin = i
        before, type_before = kind, type_
    return out


def strict(tags: list[str], scheme: str) -> Found:
    """Return what seqeval finds in strict mode."""
    letters = {"O": "O", **LETTERS[scheme]}
    tokens = [*((letters[tag[0]], tag[1:].strip("-") or "_") for tag in tags), ("O", "_")]
    family = scheme if scheme in STARTS else "IOBES"

    def fits(one: Token, two: Token, patterns: Patterns) -> bool:
        types = "s" if one[1] == two[1] else "d"
        return any(one[0] in a and two[0] in b and cond in (types, "*") for a, b, cond in patterns)

    out: Found = []
    i, before = 0, ("O", "_")
    while i < len(tokens):
        if fits(before, tokens[i], STARTS[family]):
            j = i + 1
            while fits(tokens[j - 1], tokens[j], INSIDE[family]):
                j += 1
            if fits(tokens[j - 1], tokens[j], ENDS[family]):
                out.append((tokens[i][1], i, j))
            i = j
        else:
            i += 1
        before = tokens[i - 1]
    return out


def parts(tag: str, scheme: str) -> Token:
    """Take a tag apart at its first hyphen; an unknown prefix goes on with a chunk, or starts one."""
    prefix, _, type_ = tag.partition("-")
    known = {"O": "O", "B": "B", "I": "I", "E": "E", "S": "S", **LETTERS[scheme]}
    return known.get(prefix, "I"), type_ or "_"


def conlleval(tags: list[str], scheme: str) -> Found:
    """Return the chunks of repaired tags: seqeval's, once the prefixes are those of IOBES."""
    return lenient([parts(tag, scheme) for tag in tags])


def written(found: Found, size: int, scheme: str) -> list[str]:
    """Write chunks as tags, one by one."""
    spell = {kind: letter for letter, kind in LETTERS[scheme].items()}
    out = ["O"] * size
    for label, first, last in found:
        before = any(other == label and end == first for other, _, end in found)
        after = any(other == label and start == last for other, start, _ in found)
        for i in range(first, last):
            kind = role(scheme, i == first, i == last - 1, before, after)
            out[i] = spell[kind] if label == "_" else f"{spell[kind]}-{label}"
    return out


def role(scheme: str, opens: bool, closes: bool, before: bool, after: bool) -> str:
    """Return what a token does; `before` and `after` say that a chunk of its type touches."""
    if scheme in ("IOB1", "IOB2"):
        return "B" if opens and (before or scheme == "IOB2") else "I"
    if scheme in ("IOE1", "IOE2"):
        return "E" if closes and (after or scheme == "IOE2") else "I"
    return "S" if opens and closes else "B" if opens else "E" if closes else "I"


def plain(tag: str) -> Token:
    """Take a tag apart so that `B-` and `B-_` are the same as `B`, but nothing is the same as `O` alone."""
    prefix, _, type_ = tag.partition("-")
    return (tag, "") if prefix == "O" else (prefix, type_ or "_")


def repaired(tags: list[str], scheme: str) -> list[int]:
    """Return the tokens whose tag is not the one that the repaired chunks are written with."""
    right = written(conlleval(tags, scheme), len(tags), scheme)
    return [i for i, (one, two) in enumerate(zip(tags, right, strict=True)) if plain(one) != plain(two)]


def discard(tags: list[str], scheme: str) -> tuple[Found, list[int]]:
    """Return the chunks that needed no repair, and the first repair of each other one (and of typed O)."""
    wrong = repaired(tags, scheme)
    found = conlleval(tags, scheme)
    kept = [(label, a, b) for label, a, b in found if not any(a <= i < b for i in wrong)]
    faults = {min(i for i in wrong if a <= i < b) for _, a, b in found if (_, a, b) not in kept}
    return kept, sorted(faults | {i for i in wrong if not any(a <= i < b for _, a, b in found)})
