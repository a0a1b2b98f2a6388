"""What axe-core cannot decide, decided: the contrast of a text on the colours that lie below it."""

from typing import Any

# Of a text the colour, of what lies below it every ground that is not transparent, up to one that is opaque; of a
# gradient each of its colours. Canvas mixes them as the screen does, whatever colour space they are written in.
CONTRAST = """selectors => {
    const brush = Object.assign(document.createElement('canvas'), {width: 1, height: 1})
        .getContext('2d', {willReadFrequently: true});
    const mixed = colours => {
        brush.clearRect(0, 0, 1, 1);
        for (const [colour, alpha] of colours) {
            brush.globalAlpha = alpha;
            brush.fillStyle = colour;
            brush.fillRect(0, 0, 1, 1);
        }
        return [...brush.getImageData(0, 0, 1, 1).data];
    };
    const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
        .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const COLOUR = /(?:rgba?|oklab|oklch|color|lab|lch|hsla?)\\([^()]*\\)/g;
    return selectors.map(selector => {
        const node = document.querySelector(selector);
        if (!node || !node.checkVisibility()) return [selector, null];
        const own = getComputedStyle(node);
        const ink = node instanceof SVGElement ? own.fill : own.color;
        let grounds = [[]];  // several where a gradient lies below
        let alpha = 1;
        for (let one = node; one; one = one.parentElement) {
            const style = getComputedStyle(one);
            alpha *= Number(style.opacity);
            const line = Number.parseFloat(style.backgroundSize.split(' ').pop()) <= 4;  // drawn along an edge
            const stops = line ? [] : style.backgroundImage.match(COLOUR) ?? [];
            const below = style.backgroundColor;
            const images = stops.length ? stops.map(stop => [[below, 1], [stop, 1]]) : [[[below, 1]]];
            grounds = grounds.flatMap(found => images.map(image => [...image, ...found]));
            if (mixed([[below, 1]])[3] === 255) break;
        }
        const ratios = grounds.map(found => {
            const ground = [['#fff', 1], ...found];  // paper
            const [text, back] = [light(mixed([...ground, [ink, alpha]])), light(mixed(ground))];
            return (Math.max(text, back) + 0.05) / (Math.min(text, back) + 0.05);
        });
        return [selector, Math.min(...ratios)];
    });
}"""
ENOUGH = 4.5  # WCAG 2.2, 1.4.3
ENOUGH_OF_A_SIGN = 3.0  # 1.4.11: what is no text
ROWGROUP = 'scope="rowgroup"'
SIGNS = "Element content contains only non-text characters"


def unexplained(page: Any, incomplete: list[dict[str, Any]]) -> list[str]:
    """Return what stays open of that which axe could not decide.

    Contrast is measured here. A button of a sign alone (◂) has a name of words, as it should; a row that heads
    a group of rows has no cells of its own.
    """
    left: list[str] = []
    wanted: dict[str, float] = {}
    for one in incomplete:
        for node in one["nodes"]:
            if one["id"] == "color-contrast":
                said = [check["message"] for check in node["any"]]
                wanted[node["target"][0]] = ENOUGH_OF_A_SIGN if SIGNS in said else ENOUGH
            elif one["id"] == "label-content-name-mismatch":
                words = page.locator(node["target"][0]).first.inner_text()
                left += [f"{one['id']}: {node['html'][:120]}"] * any(map(str.isalpha, words))
            elif (
                one["id"] != "th-has-data-cells"
                or 'scope="rowgroup"' not in page.locator(node["target"][0]).inner_html()
            ):
                left.append(f"{one['id']}: {node['html'][:120]}")
    for selector, ratio in page.evaluate(CONTRAST, list(wanted)):
        if ratio is not None and ratio < wanted[selector]:
            html = page.locator(selector).first.evaluate("node => node.outerHTML")
            left.append(f"contrast {ratio:.2f}: {html[:120]}")
    return left
