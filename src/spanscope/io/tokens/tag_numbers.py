"""Tags that are numbers, as models and data sets have them: by which names they are tags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from spanscope.errors import InputError, named, plural, shown
from spanscope.io.read_options import ReadOptions

VERB = {True: "is", False: "are"}
IGNORED = "\0-100"  # stands for -100, which Hugging Face gives to tokens that are not scored; no tag has a NUL


class Names:
    """The names of tags that are numbers: those that somebody said, else a column's own, else the other side's."""

    def __init__(self, options: ReadOptions, own: Mapping[str, Sequence[str]] | None = None) -> None:
        self.own, self.lent = dict(own or {}), options.tags.lent
        self.said = options.tags.names
        if self.said is None and options.label_names:
            self.said = _names_by_number(options.label_names)

    def known(self) -> Sequence[str] | None:
        """Return the names that tags of the other side may go by too."""
        return self.said or next(iter(self.own.values()), None)

    def tags(self, tags: Any, where: str = "", key: str = "") -> list[str]:
        """Return tags as strings; numbers by the names of the column with this key."""
        found = list(tags)
        kinds = set(map(type, found))
        if kinds <= {str}:
            return found
        if any(issubclass(kind, np.generic) for kind in kinds):
            found = [tag.item() if isinstance(tag, np.generic) else tag for tag in found]
            kinds = set(map(type, found))
            if kinds <= {str}:
                return found
        names = self.said or self.own.get(key) or self.lent
        if kinds <= {int} and names:
            named = dict(enumerate(names)) | {-100: IGNORED}
            if all(tag in named for tag in found):
                return [named[tag] for tag in found]
        raise _refusal(found, names or (), where)


def _refusal(found: Sequence[Any], names: Sequence[str], where: str) -> InputError:
    """Say what is wrong with tags of which some are no strings."""
    bad = next(
        tag for tag in found if not isinstance(tag, str) and not (type(tag) is int and tag in range(len(names)))
    )
    if type(bad) is not int:
        return InputError(f"a tag is {shown(bad)}", where=where, expected="a string")
    hint = "[[tag_names=O,B-PER,I-PER]]   with the names of all tags, in the order of their numbers from 0"
    if names:
        what = (
            f"the tag {shown(bad)} has no name: {plural(len(names), 'name')} of tags {VERB[len(names) == 1]} known"
        )
        return InputError(what, where=where, expected=f"a number from 0 to {len(names) - 1}", hint=hint)
    what = f"a tag is the number {shown(bad)}, and nothing says which tag that is"
    return InputError(what, where=where, expected="tags such as B-PER, or the names of the numbers", hint=hint)


def _names_by_number(label_names: Mapping[str, str]) -> list[str]:
    """Return names of numbers as a list; a number without a name has none."""
    numbers = {int(key): name for key, name in label_names.items() if key.isdecimal()}
    if len(numbers) < len(label_names):
        odd = next(key for key in label_names if not key.isdecimal())
        raise InputError(f"label_names has {named(odd)}", expected="numbers with their names, such as 0=O,1=B-PER")
    return [numbers.get(at, "") for at in range(max(numbers, default=-1) + 1)]
