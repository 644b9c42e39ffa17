"""Parts of still pictures as SVG text: shapes and lines only, so that they stand anywhere an SVG is shown.

No ids, no links, no style sheet: arrowheads are paths, colours are attributes that a page's style sheet may override
through the classes, the text takes the colour around it. Every picture is 320 units wide.
"""

import html
import math

from .._text import visible

SIZE, REACH = 320, 140  #: side of a picture; pixels from the origin to the edge of the plotted range
CROWD = 12  #: with more arrows than this, only the keys and the selected query carry their names
BLUE, VERMILION, GREEN = "#0072B2", "#D55E00", "#009E73"
MARKERS = {  #: q circle, k square, v triangle, y diamond, x cross, centred on the origin
    "q": f'<circle class="ag-q" r="8" fill="{BLUE}"/>',
    "k": f'<path class="ag-k" d="M-7.5 -7.5H7.5V7.5H-7.5Z" fill="{VERMILION}"/>',
    "v": f'<path class="ag-v" d="M0 -9.5L9 6.5H-9Z" fill="{GREEN}"/>',
    "y": '<path class="ag-y" d="M0 -9.5L9.5 0L0 9.5L-9.5 0Z" fill="currentColor"/>',
    "x": '<path class="ag-x" d="M-3 -9H3V-3H9V3H3V9H-3V3H-9V-3H-3Z" fill="currentColor"/>',
    "around": '<path class="ag-k-line" d="M-11.5 -11.5H11.5V11.5H-11.5Z" fill="none" '  # a key that lies on a query
    f'stroke="{VERMILION}" stroke-width="2.4"/>',
}
WIDE = ("around", "stream")  #: kinds of a handle that reach further
COLOURS = {"q": BLUE, "k": VERMILION, "v": GREEN, "y": "currentColor"}
SUBSCRIPTS = str.maketrans("0123456789-", "₀₁₂₃₄₅₆₇₈₉₋")


def picture(name, parts):
    return (
        f'<svg class="ag-picture" viewBox="0 0 {SIZE} {SIZE}" width="{SIZE}" height="{SIZE}" role="img" '
        f'aria-label="{html.escape(name)}" font-size="13" font-family="system-ui, sans-serif" fill="currentColor">'
        f"{''.join(parts)}</svg>"
    )


def axes(reach):
    """Grid, the two axes and their numbers."""
    parts = []
    for i, a, number in _ticks(reach):
        line = 'class="ag-axis" stroke-opacity="0.45"' if i == 0 else 'class="ag-grid" stroke-opacity="0.13"'
        parts.append(f'<path {line} stroke="currentColor" d="M{a} 8V312M8 {320 - a:g}H312"/>')
        if i:
            parts.append(
                label(a, 174, number, "middle", muted=True) + label(154, round(324.5 - a, 2), number, "end", muted=True)
            )
    return "".join(parts)


def _ticks(reach):
    """Grid lines: which, where in pixels from the left, and its number."""
    step = tick_step(reach)
    count = math.floor(reach / step + 1e-9)
    return [(i, round(160 + i * step / reach * REACH, 2), _signed(i * step)) for i in range(-count, count + 1)]


def taken_by_axes(reach):
    """Pixels of the axes and their numbers, for `markers` to keep names off."""
    found = along([(8, 160), (312, 160)]) + along([(160, 8), (160, 312)])
    for i, a, number in _ticks(reach):
        if i:
            found += filled(_name_box(a, 174, "middle", len(number))) + filled(
                _name_box(154, 324.5 - a, "end", len(number))
            )
    return found


def along(corners, step=5):
    """Pixels every few steps of a broken line."""
    found = list(corners[:1])
    for (x, y), (u, v) in zip(corners, corners[1:]):
        n = math.ceil(math.hypot(u - x, v - y) / step)
        found += [(x + (u - x) * i / n, y + (v - y) * i / n) for i in range(1, n + 1)]
    return found


def filled(box):
    """A few pixels of a box, so that what lies over it lies over some of them."""
    left, top, right, bottom = box
    return [(left + (right - left) * i / 4, y) for i in range(5) for y in (top + 3, (top + bottom) / 2, bottom - 3)]


def level_line(q, reach):
    """The line of keys whose score with ``q`` is zero: through the origin, at a right angle to ``q``."""
    length = math.hypot(*q)
    if length == 0:
        return ""
    c, s = -q[1] / length * 152, q[0] / length * 152
    d = f"M{160 - c:.2f} {160 + s:.2f}L{160 + c:.2f} {160 - s:.2f}"
    return f'<path class="ag-level" d="{d}" stroke="{BLUE}" stroke-opacity="0.6" stroke-dasharray="2 5"/>'


def shaft(point, reach, kind, *, width=1.6, opacity=1):
    x, y = place(point, reach)
    return (
        f'<path class="ag-shaft ag-{kind}-line" d="M160 160L{x} {y}" stroke="{COLOURS[kind]}" stroke-width="{width}" '
        f'stroke-opacity="{opacity}"/>'
    )


def markers(points, reach, *, nameless="", shapes=MARKERS, lines=()):
    """Handles ``(kind, point, name, strong)`` with the names that find a place; ``nameless`` kinds only if strong.

    A name stands off all handles and other names, and where it covers least of the axes, their numbers and ``lines``
    (pixels, as `along` gives them). Several names of one handle are joined by equality signs; no name is "".
    """
    busy = [*taken_by_axes(reach), *lines]
    at = [place(point, reach) for _, point, _, _ in points]
    wide = {pixel for pixel, (kind, *_) in zip(at, points) if kind in WIDE}
    taken = [(x - r, y - r, x + r, y + r) for x, y in at for r in [13 if (x, y) in wide else 9]]
    texts = {}
    for i in sorted(range(len(points)), key=lambda i: not points[i][3]):
        kind, _, name, strong = points[i]
        if not name or kind in nameless and not strong:
            continue
        names = [name] if isinstance(name, str) else name
        (x, y), short = at[i], " = ".join(visible(part, 8) for part in names)
        places = name_places(x, y, 1.4 if (x, y) in wide else 1)
        boxes = {(dx, dy, anchor): _name_box(x + dx, y + dy, anchor, len(short)) for dx, dy, anchor in places}
        others = [box for j, box in enumerate(taken) if j != i]
        free = [p for p, b in boxes.items() if b[0] >= -4 and b[2] <= 324 and not any(_overlap(b, o) for o in others)]
        if free:
            dx, dy, anchor = best = min(free, key=lambda p: covered(boxes[p], busy))
            taken.append(boxes[best])
            full = " = ".join(names)
            texts[i] = label(round(x + dx, 2), round(y + dy, 2), short, anchor, strong=strong, full=full)
    return [
        f'<g transform="translate({x} {y})">{shapes[kind]}</g>{texts.get(i, "")}'
        for i, ((x, y), (kind, *_)) in enumerate(zip(at, points))
    ]


def name_places(x, y, far=1):
    """Offsets and anchors for the name of a handle: outwards from the origin, then all around it."""
    length = math.hypot(x - 160, y - 160)
    c, s = ((x - 160) / length, (y - 160) / length) if length else (0.0, -1.0)  # at the origin itself: above
    anchor = "middle" if abs(c) < 0.35 else "start" if c > 0 else "end"
    return [
        (15 * far * c, 19 * far * s + 4.5, anchor),
        (13 * far, 4.5, "start"),
        (-13 * far, 4.5, "end"),
        (0, -14 * far, "middle"),
        (0, 19 * far + 4, "middle"),
        *[(dx * far, dy * far, "start" if dx > 0 else "end") for dy in (-9, 17) for dx in (11, -11)],
    ]


def _name_box(x, y, anchor, letters):
    width = 7.4 * letters
    left = x - {"start": 0, "middle": width / 2, "end": width}[anchor]
    return left, y - 11, left + width, y + 4


def covered(box, pixels):
    """How many of the pixels lie in the box."""
    return sum(box[0] < x < box[2] and box[1] < y < box[3] for x, y in pixels)


def _overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def label(x, y, text, anchor, *, strong=False, muted=False, full=None):
    weight = ' font-weight="700"' if strong else ""
    faint = ' class="ag-tick" fill-opacity="0.7" font-size="12"' if muted else ' class="ag-name"'
    title = f"<title>{html.escape(full)}</title>" if full is not None and full != text else ""
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}"{weight}{faint}>{html.escape(text)}{title}</text>'


def convex_hull(points):
    """Corners of the hull in order (Andrew's monotone chain); one or two distinct points are returned as they are."""
    points = sorted({(float(x), float(y)) for x, y in points})
    if len(points) < 3:
        return points

    def chain(ordered):
        corners = []
        for p in ordered:
            while len(corners) > 1 and _cross(corners[-2], corners[-1], p) <= 0:
                corners.pop()
            corners.append(p)
        return corners[:-1]

    return chain(points) + chain(points[::-1])


def nice_range(vectors):
    """A little more than the largest coordinate, rounded up to two significant digits; 1 for zero vectors."""
    largest = 1.15 * max(abs(x) for row in vectors for x in row)
    if largest == 0:
        return 1.0
    unit = 10.0 ** (math.floor(math.log10(largest)) - 1)
    return math.ceil(largest / unit - 1e-9) * unit


def tick_step(reach):
    """The smallest of 1, 2, 5 × 10ᵏ that puts at most three ticks on a half axis."""
    unit = 10.0 ** math.floor(math.log10(reach / 3))
    return next(f * unit for f in (1, 2, 5, 10) if f * unit >= reach / 3 - 1e-12)


def place(point, reach):
    """Pixel of a point of the plane."""
    return round(160 + point[0] / reach * REACH, 2), round(160 - point[1] / reach * REACH, 2)


def subscript(number):
    return str(number).translate(SUBSCRIPTS)


def _signed(x):
    return f"{x:g}".replace("-", "−")


def _cross(o, a, b):
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])
