"""How figures look: colours that colour-blind readers can tell apart, type, size, and the bytes of a file.

Nothing here goes through pyplot: a figure is an object of its own, and no setting of the caller's is changed.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spanscope.errors import MeasureError, did_you_mean, shown
from spanscope.report.figures.embedding import with_type
from spanscope.report.names import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ENDINGS = (".svg", ".png", ".pdf")
DPI = 200  # of PNG
DASHES = ("solid", (0, (5, 2)), (0, (1, 1.5)), (0, (5, 1.5, 1, 1.5)), (0, (9, 2)), (0, (3, 1, 1, 1, 1, 1)))
SIZES = {"column": (3.35, 8.0), "page": (6.9, 9.0)}  # inches and points: a column of a paper with two, and both
NARROW = 5.0  # inches
USUAL_TYPE = 9.0  # points
LEAST_SCALED, MOST_SCALED = 0.72, 1.25  # of the natural height: beyond, axes are too flat or the figure too tall
LONGEST = 28  # characters of a name; the rest is cut
NEEDS = "figures need matplotlib: pip install 'spanscope[plot]'"


@dataclass(frozen=True)
class Theme:
    """The colours of a style; hues stand for labels only."""

    paper: str
    ink: str
    quiet: str  # what matters less than the figures
    rule: str  # lines of the grid
    accent: str
    tint: str  # a pale accent, for areas
    shade: str  # between tint and accent
    ribbon: tuple[str, str]  # of segments, in turn
    labels: tuple[str, ...]


LIGHT = ("#421C8D", "#C66F70", "#447838", "#1F9BBA", "#681D3B", "#829821", "#7855DF", "#8C5087")
DARK = ("#7D5BE6", "#CB9317", "#2A9B7C", "#DF99EF", "#D73246", "#8FD89E", "#E5E74D", "#A55F8F")
THEMES = {
    "light": Theme(
        "#FFFFFF", "#1B1F24", "#57606A", "#D8DEE4", "#0B57A4", "#D6E6F5", "#A9C4E0", ("#93A4BC", "#BAC6D6"), LIGHT
    ),
    "dark": Theme(
        "#14181D", "#E6EAEF", "#9AA5B1", "#323A44", "#6CB2F5", "#22384F", "#3B5B7C", ("#5A6A7E", "#3C4856"), DARK
    ),
    "print": Theme(
        "#FFFFFF",
        "#000000",
        "#4D4D4D",
        "#D9D9D9",
        "#000000",
        "#E6E6E6",
        "#BDBDBD",
        ("#A8A8A8", "#CDCDCD"),
        ("#A6A6A6",),
    ),
}


@dataclass(frozen=True)
class Look:
    """What a caller may choose: the style, the size in inches, the size of type in points, the title.

    Without a width or height the figure is as large as its content asks for. title="" leaves the title out.
    """

    style: str = "light"
    width: float | None = None
    height: float | None = None
    font_size: float = USUAL_TYPE
    title: str | None = None

    def __post_init__(self) -> None:
        if self.style not in THEMES:
            near = did_you_mean(self.style, THEMES)
            raise MeasureError(f"no style is called {shown(self.style)}{near}", expected=", ".join(THEMES))
        for name, value, low, high in (
            ("width", self.width, 1, 60),
            ("height", self.height, 1, 60),
            ("font_size", self.font_size, 4, 40),
        ):
            if value is not None and not low <= value <= high:
                unit = "points" if name == "font_size" else "inches"
                raise MeasureError(f"{name} is {shown(value)}", expected=f"{low} to {high} {unit}")

    @classmethod
    def for_paper(
        cls,
        size: str,
        style: str = "light",
        height: float | None = None,
        font_size: float | None = None,
        title: str | None = None,
    ) -> Look:
        """Return the look of a figure as wide as a column of a paper with two ("column"), or as both ("page")."""
        if size not in SIZES:
            near = did_you_mean(size, SIZES)
            raise MeasureError(f"no size is called {shown(size)}{near}", expected=" or ".join(SIZES))
        width, points = SIZES[size]
        return cls(style, width, height, points if font_size is None else font_size, title)

    @property
    def theme(self) -> Theme:
        """Return the colours."""
        return THEMES[self.style]

    @property
    def narrow(self) -> bool:
        """Tell a figure for a column: there is room for fewer ticks, and for less in a line."""
        return self.width is not None and self.width < NARROW

    def tall(self, width: float, height: float) -> float:
        """Return the height of a figure with this natural size: in proportion where only a width is chosen."""
        if self.height is not None or self.width is None:
            return self.height or height
        return height * min(MOST_SCALED, max(LEAST_SCALED, self.width / width))  # a plain ratio of inches

    def scaled(self, width: float, height: float) -> tuple[float, float]:
        """Return the natural size of a figure that keeps its proportions."""
        return width, self.tall(width, height)

    def inches(self, lines: float) -> float:
        """Return the height of so many lines of type."""
        return lines * self.font_size / 72


def check() -> None:
    """Refuse to go on without matplotlib, with what to install."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise ImportError(NEEDS) from None


def settings(look: Look) -> dict[str, Any]:
    """Return matplotlib's settings: text stays text, `$` is a character, and nothing depends on the day."""
    theme = look.theme
    ink = ("text.color", "axes.labelcolor", "xtick.labelcolor", "ytick.labelcolor")
    rules = ("axes.edgecolor", "xtick.color", "ytick.color")
    sizes = ("font.size", "axes.titlesize", "axes.labelsize", "xtick.labelsize", "ytick.labelsize")
    return {
        "svg.fonttype": "none",
        "svg.hashsalt": "spanscope",
        "pdf.fonttype": 42,
        "text.parse_math": False,
        "figure.facecolor": theme.paper,
        "axes.facecolor": theme.paper,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.linewidth": 0.8,
        "grid.color": theme.rule,
        "grid.linewidth": 0.6,
        "axes.axisbelow": True,
        "hatch.linewidth": 0.6,
        "legend.frameon": False,
        "legend.fontsize": look.font_size,
        **dict.fromkeys(ink, theme.ink),
        **dict.fromkeys(rules, theme.quiet),
        **dict.fromkeys(sizes, look.font_size),
    }


@contextmanager
def page(look: Look, about: str, title: str, width: float, height: float) -> Iterator[Figure]:
    """Give a figure to draw on, and lay it out afterwards.

    about   the line that reproduces the figures: the label of the figure, which goes into the file.
    width, height   in inches, where the caller has chosen none.
    """
    check()
    from matplotlib import style
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    size = (look.width or width, look.height or height)
    with style.context(settings(look), after_reset=True), warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasAgg(figure)
        figure.set_label(about)
        words = title if look.title is None else look.title
        if words:
            figure.suptitle(
                visible(words), x=0.01, ha="left", fontsize=look.font_size + 1, fontweight="bold", wrap=True
            )
        yield figure
        figure.draw_without_rendering()
    if any("collapsed" in str(one.message) for one in said):
        raise MeasureError(
            f"the figure does not fit on {size[0]:g} x {size[1]:g} inches",
            expected=f"about {width:.1f} x {height:.1f} inches",
            hint="a larger --width and --height, or a smaller --font-size",
        )


def ending_of(path: str) -> str:
    """Return the ending of a file's name, if it is one of a figure's."""
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        raise MeasureError(
            f"{shown(path)} does not end in the name of a figure format", expected=" or ".join(ENDINGS)
        )
    return ending


def to_bytes(figure: Figure, ending: str = ".svg") -> tuple[bytes, list[str]]:
    """Return a figure as a file, and the characters its type lacks (they are boxes but in SVG, which keeps text).

    The same figure gives the same bytes: no dates, no random identifiers. The line that reproduces the figures is
    in the file: Description in SVG and PNG, Subject in PDF.
    """
    from matplotlib import style

    form, about = ending_of(f"figure{ending}")[1:], str(figure.get_label())
    heads: dict[str, dict[str, Any]] = {
        "svg": {"Date": None, "Creator": "spanscope", "Description": about},
        "png": {"Software": "spanscope", "Description": about},
        "pdf": {"CreationDate": None, "Creator": "spanscope", "Producer": None, "Subject": about},
    }
    out = io.BytesIO()
    with style.context(settings(Look()), after_reset=True), warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        figure.savefig(out, format=form, dpi=DPI, metadata=heads[form])
    lacking = [found[1] for one in said if (found := re.match(r"Glyph (\d+) .*missing", str(one.message)))]
    content = with_type(out.getvalue()) if form == "svg" else out.getvalue()
    return content, sorted({chr(int(code)) for code in lacking})


def pale(colour: str, theme: Theme) -> tuple[float, ...]:
    """Return a colour mixed with the paper's: what lies on it can be read, what is under it does not show."""
    from matplotlib.colors import to_rgb

    return tuple(0.55 * own + 0.45 * other for own, other in zip(to_rgb(colour), to_rgb(theme.paper), strict=True))


def name_of(text: str) -> str:
    """Return a name from the data, cut where it is too long for a figure."""
    words = visible(text)
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"


def spread_out(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return places for words beside each other, at least `gap` apart and as near to those wanted as that allows.

    Words that would touch share their middle. They stay between low and high where there is room.
    """
    order = sorted(range(len(wanted)), key=lambda at: wanted[at])
    groups: list[tuple[float, list[int]]] = []  # the middle of words that touch, and which they are
    for at in order:
        middle, own = wanted[at], [at]
        while groups and middle - groups[-1][0] < gap * (len(own) + len(groups[-1][1])) / 2:
            own = groups.pop()[1] + own
            reach = gap * (len(own) - 1) / 2
            middle = min(max(sum(wanted[one] for one in own) / len(own), low + reach), high - reach)
        groups.append((middle, own))
    places = [0.0] * len(wanted)
    for middle, own in groups:
        for step, at in enumerate(own):
            places[at] = middle + gap * (step - (len(own) - 1) / 2)
    return places


def columns(axes: Axes, places: Sequence[float], cells: dict[str, list[str]], widths: Sequence[float]) -> None:
    """Write columns of numbers to the right of the axes, their heads above; widths in multiples of the type."""
    right = 0.0
    for (head, own), width in zip(cells.items(), widths, strict=True):
        right += width
        for place, cell in [(places[0] - 0.95, head), *zip(places, own, strict=True)]:
            axes.annotate(
                cell,
                (1, place),
                (right, 0),
                xycoords=axes.get_yaxis_transform(),
                textcoords="offset fontsize",
                ha="right",
                va="center",
                annotation_clip=False,
            )


def line_ends(axes: Axes, look: Look, lines: Sequence[tuple[str, float, str]], height: float, x: float) -> None:
    """Name lines at their right end: (name, last value, colour) each, the names apart from each other."""
    low, high = axes.get_ylim()
    gap = (high - low) * look.inches(1.25) / height
    for (name, _, colour), y in zip(
        lines, spread_out([value for _, value, _ in lines], gap, low, high), strict=True
    ):
        axes.annotate(name, (x, y), (6, 0), textcoords="offset points", va="center", color=colour)
