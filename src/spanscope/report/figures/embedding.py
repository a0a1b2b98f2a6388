"""Type within SVG files: the characters that are used, so that a figure looks the same on every machine."""

from __future__ import annotations

import base64
import io
import re
from html import unescape
from pathlib import Path

FAMILY = "DejaVu Sans"
FILES = {"normal": "DejaVuSans.ttf", "bold": "DejaVuSans-Bold.ttf"}  # by weight; matplotlib brings them along
TEXT = re.compile(rb"<text[^>]*>([^<]*)</text>")
BEFORE = b"<defs>"  # the first of a file, which has the style of all lines


def with_type(svg: bytes) -> bytes:
    """Return an SVG with the letters of its texts as a font in it; the texts stay texts.

    Characters that the type lacks are left to the reader's own.
    """
    used = "".join(sorted(set(unescape(b"".join(TEXT.findall(svg)).decode()))))
    if not used or BEFORE not in svg:
        return svg
    faces = "".join(_face(weight, name, used) for weight, name in FILES.items())
    style = f'<style type="text/css">{faces}</style>'
    return svg.replace(BEFORE, f"<defs>{style}</defs>\n <defs>".encode(), 1)


def _face(weight: str, name: str, used: str) -> str:
    data = base64.b64encode(_letters(name, used)).decode()
    about = f"font-family:'{FAMILY}';font-weight:{weight}"
    return f"@font-face{{{about};src:url(data:font/woff;base64,{data}) format('woff')}}"


def _letters(name: str, used: str) -> bytes:
    """Return a font file with these characters alone; the same characters give the same bytes."""
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont
    from matplotlib import get_data_path

    font = TTFont(Path(get_data_path()) / "fonts" / "ttf" / name, recalcTimestamp=False)
    options = Options(layout_features=["kern"], notdef_outline=True, name_IDs=[1, 2], recalc_timestamp=False)
    options.drop_tables += ["FFTM"]  # of which it says otherwise that it drops it
    cutter = Subsetter(options)
    cutter.populate(text=used)
    cutter.subset(font)
    font.flavor = "woff"
    out = io.BytesIO()
    font.save(out, reorderTables=True)
    return out.getvalue()
