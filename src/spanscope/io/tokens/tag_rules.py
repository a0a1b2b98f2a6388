"""How tags are read: what somebody said of them and of their files, and what is left to be found out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from spanscope.arguments import mapping, of_type, words

OTHER_NAMES = {"BIO": "IOB2", "BIO2": "IOB2", "BIOES": "IOBES", "BILUO": "BILOU", "BMEO": "BMES"}  # of schemes


@dataclass(frozen=True)
class TagRules:
    """How tags are read."""

    scheme: str | None = None  # None: found out from the tags
    repair: str = "conlleval"
    columns: Mapping[str, str | int] | None = None
    names: Sequence[str] | None = None  # of tags given as numbers
    mapping: Mapping[str, str] = field(default_factory=dict)  # labels by other names; "" or O leaves one out
    docstart: bool = False  # lines that mark documents are tokens too
    numbers: bool = False  # offsets are token numbers, whatever the tokens are
    input: str | None = None  # the format of files, whatever they look like; None: found out from them
    pred_scheme: str | None = None  # of predictions, where it is another
    lent: Sequence[str] | None = None  # names of numbers on the other side, which is of tags too

    @property
    def said(self) -> bool:
        """Tell whether somebody said that files are CoNLL, or which columns they have."""
        return self.input == "conll" or bool(self.columns)


def checked_rules(given: TagRules) -> TagRules:
    """Return how tags are read, everything of the type it should be; what the words may be the reader says."""
    of_type("scheme", given.scheme, str, "the name of a scheme, such as IOB2")
    of_type("repair", given.repair, str, "conlleval, discard, strict or seqeval")
    columns, names = given.columns, given.names
    if columns is not None:
        columns = mapping(
            "columns", columns, 'numbers of columns by name, e.g. {"token": 0, "tag": 3}', (int, str)
        )
    if names is not None:
        names = words("tag_names", names, "a list of tags, such as O, B-PER, I-PER")
    scheme = given.scheme
    if scheme is not None:
        scheme = OTHER_NAMES.get(scheme.upper(), scheme.upper())
    other = mapping("mapping", given.mapping, 'labels by label, e.g. {"PER": "PERSON"}; "" leaves one out')
    return replace(given, scheme=scheme, columns=columns, names=names, mapping=other)
