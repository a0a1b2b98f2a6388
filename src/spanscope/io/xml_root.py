"""The root element of an XML file, by its first bytes."""

from __future__ import annotations

import re

from spanscope.io.head import TEXT, Head

BEFORE = re.compile(r"(?:\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>)*", re.DOTALL | re.IGNORECASE)
ROOT = re.compile(r"<(?:[^\s<>/:!?]+:)?([^\s<>/:!?]+)(?=[\s/>])")


def root_of(head: Head) -> str:
    """Return the name of the root element without its prefix; nothing of what is no XML."""
    if head.data.lstrip()[:1] != b"<":
        return ""
    text = head.data[:TEXT].decode("utf-8", "replace")
    before = BEFORE.match(text)
    found = ROOT.match(text, before.end() if before else 0)
    return found[1] if found else ""
