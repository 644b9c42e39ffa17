"""Still pictures of the widgets as SVG text: shapes and lines only, so that they stand anywhere an SVG is shown.

No ids, no links, no style sheet: arrowheads are paths, colours are attributes that a page's style sheet may override
through the classes, the text takes the colour around it. Every picture is 320 units wide.
"""

import html
import math

from .._text import visible

SIZE, REACH = 320, 140  #: side of a picture; pixels from the origin to the edge of the plotted range
CROWD = 12  #: with more arrows than this, only the keys and the selected query carry their names
BLUE, VERMILION, GREEN = "#0072B2", "#D55E00", "#009E73"
MARKERS = {  #: q circle, k square, v triangle, y diamond, centred on the origin
    "q": f'<circle class="ag-q" r="8" fill="{BLUE}"/>',
    "k": f'<path class="ag-k" d="M-7.5 -7.5H7.5V7.5H-7.5Z" fill="{VERMILION}"/>',
    "v": f'<path class="ag-v" d="M0 -9.5L9 6.5H-9Z" fill="{GREEN}"/>',
    "y": '<path class="ag-y" d="M0 -9.5L9.5 0L0 9.5L-9.5 0Z" fill="currentColor"/>',
}
COLOURS = {"q": BLUE, "k": VERMILION, "v": GREEN, "y": "currentColor"}
SUBSCRIPTS = str.maketrans("0123456789-", "₀₁₂₃₄₅₆₇₈₉₋")


def query_key_plane(Q, K, query_names, key_names, selected):
    """Queries and keys as arrows from the origin of one plane."""
    reach = nice_range(Q + K)
    crowd = len(Q) + len(K) > CROWD
    faint = 0.35 if crowd else 0.75
    parts = [axes(reach), level_line(Q[selected], reach)]
    parts += [shaft(point, reach, "k", opacity=faint) for point in K]
    parts += [shaft(point, reach, "q", opacity=faint) for i, point in enumerate(Q) if i != selected]
    parts += [shaft(Q[selected], reach, "q", width=3)]
    parts += [marker(point, reach, "k", name) for point, name in zip(K, key_names)]
    parts += [
        marker(point, reach, "q", "" if crowd and i != selected else name, strong=i == selected)
        for i, (point, name) in enumerate(zip(Q, query_names))
    ]
    return picture("Plane of queries (circles) and keys (squares).", parts)


def value_plane(V, row, y, selected):
    """Values, their hull, and the mixture of one query inside it; ``row`` is None where no key is allowed."""
    reach = nice_range(V)
    names = [f"v{subscript(j + 1)}" for j in range(len(V))]
    hull = " ".join(f"{a},{b}" for a, b in (place(p, reach) for p in convex_hull(V)))
    parts = [
        axes(reach),
        f'<polygon class="ag-hull" points="{hull}" fill="{GREEN}" fill-opacity="0.13" stroke="{GREEN}" stroke-linejoin="round"/>',
    ]
    if row is not None:
        (a, b) = place(y, reach)
        for point, weight in zip(V, row):
            c, d = place(point, reach)
            parts.append(
                f'<path class="ag-mix" d="M{a} {b}L{c} {d}" stroke="currentColor" stroke-opacity="0.55" '
                f'stroke-width="{0.4 + 6 * weight:.2f}"/>'
            )
    parts += [marker(point, reach, "v", name) for point, name in zip(V, names)]
    if row is None:
        parts.append(label(SIZE / 2, 314, f"q{subscript(selected + 1)} is masked: no mixture", "middle"))
    else:
        parts.append(marker(y, reach, "y", f"y{subscript(selected + 1)}", strong=True))
    return picture("Plane of values (triangles), their hull, and the mixture (diamond).", parts)


def graph(weights, query_names, key_names, selected, *, one_set):
    """Directed graph of the weights; an arrow from i to j says that i attends to j, its width how much."""
    n, m = len(query_names), len(key_names)
    edges, parts = [], []
    for i, row in enumerate(weights):
        for j, weight in enumerate(row or []):
            if weight >= 0.005:
                shape = circle_edge(i, j, n) if one_set else side_edge(i, j, n, m)
                edges.append((i == selected, weight, shape))
    for on, weight, (path, (x, y), angle) in sorted(edges, key=lambda edge: edge[:2]):
        colour, name = (BLUE, "ag-edge ag-on") if on else ("currentColor", "ag-edge")
        opacity = f"{0.4 + 0.6 * weight if on else 0.12 + 0.5 * weight:.2f}"
        parts.append(
            f'<path class="{name}" d="{path}" fill="none" stroke="{colour}" stroke-opacity="{opacity}" '
            f'stroke-width="{0.6 + 5.4 * weight:.2f}"/>'
            f'<path class="{name} ag-head" d="M0 0L-6 3.2V-3.2Z" fill="{colour}" fill-opacity="{opacity}" '
            f'transform="translate({x} {y}) rotate({angle}) scale({1 + weight:.2f})"/>'
        )
    if one_set:
        for i, name in enumerate(query_names):
            (x, y), (c, s) = circle_node(i, n), circle_direction(i, n)
            colour, kind = (BLUE, " ag-q") if i == selected else ("currentColor", "")
            parts.append(f'<circle class="ag-node{kind}" cx="{x}" cy="{y}" r="7" fill="{colour}"/>')
            anchor = "middle" if abs(c) < 0.35 else "start" if c > 0 else "end"
            a, b = round(160 + 110 * c, 2), round(164.5 + 114 * s, 2)
            parts.append(label(a, b, visible(name, 6), anchor, strong=i == selected, full=name))
        return picture("Graph of the tokens: an arrow from i to j says that i attends to j.", parts)
    for i, name in enumerate(query_names):
        x, y = side_node(i, n, left=True)
        parts.append(f'<g transform="translate({x} {y})">{MARKERS["q"]}</g>')
        parts.append(label(x - 15, y + 4.5, visible(name, 9), "end", strong=i == selected, full=name))
    for j, name in enumerate(key_names):
        x, y = side_node(j, m, left=False)
        parts.append(f'<g transform="translate({x} {y})">{MARKERS["k"]}</g>')
        parts.append(label(x + 15, y + 4.5, visible(name, 9), "start", full=name))
    return picture("Graph from queries (left) to keys (right): an arrow says that the query attends to the key.", parts)


def weight_table(weights, allowed, query_names, key_names, selected):
    """The same weights as a table, for readers and for hosts that take the picture away."""
    head = "".join(f'<th scope="col">{_bdi(name, 12)}</th>' for name in key_names)
    rows = []
    for i, name in enumerate(query_names):
        if weights[i] is None:
            cells = f'<td colspan="{len(key_names)}">masked</td>'
        else:
            cells = "".join(f"<td>{w:.3f}</td>" if ok else "<td>masked</td>" for w, ok in zip(weights[i], allowed[i]))
        title = f"<strong>{_bdi(name, 12)}</strong>" if i == selected else _bdi(name, 12)
        rows.append(f'<tr><th scope="row">{title}</th>{cells}</tr>')
    return (
        '<table class="ag-table"><caption>Attention weights: one row for each query, one column for each key'
        f"</caption><thead><tr><td></td>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def picture(name, parts):
    return (
        f'<svg class="ag-picture" viewBox="0 0 {SIZE} {SIZE}" width="{SIZE}" height="{SIZE}" role="img" '
        f'aria-label="{html.escape(name)}" font-size="13" font-family="system-ui, sans-serif" fill="currentColor">'
        f"{''.join(parts)}</svg>"
    )


def axes(reach):
    """Grid, the two axes and their numbers."""
    step, parts = tick_step(reach), []
    count = math.floor(reach / step + 1e-9)
    for i in range(-count, count + 1):
        a = round(160 + i * step / reach * REACH, 2)
        line = 'class="ag-axis" stroke-opacity="0.45"' if i == 0 else 'class="ag-grid" stroke-opacity="0.13"'
        parts.append(f'<path {line} stroke="currentColor" d="M{a} 8V312M8 {320 - a:g}H312"/>')
        if i:
            number = _signed(i * step)
            parts.append(label(a, 174, number, "middle", muted=True) + label(154, round(324.5 - a, 2), number, "end", muted=True))
    return "".join(parts)


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


def marker(point, reach, kind, name, *, strong=False):
    """A handle with its name beside it, on the side away from the origin."""
    x, y = place(point, reach)
    if not name:
        return f'<g transform="translate({x} {y})">{MARKERS[kind]}</g>'
    short = visible(name, 8)
    dx, dy, anchor = label_offset(x, y, len(short))
    text = label(round(x + dx, 2), round(y + dy, 2), short, anchor, strong=strong, full=name)
    return f'<g transform="translate({x} {y})">{MARKERS[kind]}</g>{text}'


def label_offset(x, y, letters):
    """Where the name of a handle goes: outwards from the origin, or above it where the picture ends."""
    length = math.hypot(x - 160, y - 160) or 1.0
    c, s = (x - 160) / length, (y - 160) / length
    anchor = "middle" if abs(c) < 0.35 else "start" if c > 0 else "end"
    room = (160 - abs(x - 160) - 15 * abs(c)) if anchor != "middle" else 99
    if room < 8.5 * letters:
        return (160 - abs(x - 160) - 3) * (1 if c > 0 else -1), -14 if s <= 0.5 else 24, "end" if c > 0 else "start"
    return 15 * c, 19 * s + 4.5, anchor


def label(x, y, text, anchor, *, strong=False, muted=False, full=None):
    weight = ' font-weight="700"' if strong else ""
    faint = ' class="ag-tick" fill-opacity="0.7" font-size="12"' if muted else ' class="ag-name"'
    title = f"<title>{html.escape(full)}</title>" if full is not None and full != text else ""
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}"{weight}{faint}>{html.escape(text)}{title}</text>'


def circle_direction(i, n):
    angle = -math.pi / 2 + 2 * math.pi * i / n
    return math.cos(angle), math.sin(angle)


def circle_node(i, n):
    c, s = circle_direction(i, n)
    return round(160 + 82 * c, 2), round(160 + 82 * s, 2)


def circle_edge(i, j, n):
    """Path of the shaft, tip of the head and its angle, for nodes on a circle; i → i is a loop outside."""
    (x, y), (c, s) = circle_node(i, n), circle_direction(i, n)
    if i == j:
        (a, b), (u, v) = [(math.cos(t) * c - math.sin(t) * s, math.sin(t) * c + math.cos(t) * s) for t in (-0.8, 0.8)]
        start, stop, tip = (x + 8 * a, y + 8 * b), (x + 14 * u, y + 14 * v), (x + 8.5 * u, y + 8.5 * v)
        bends = f"{x + 36 * a:.2f} {y + 36 * b:.2f} {x + 36 * u:.2f} {y + 36 * v:.2f}"
        path = f"M{start[0]:.2f} {start[1]:.2f}C{bends} {stop[0]:.2f} {stop[1]:.2f}"
        return path, (round(tip[0], 2), round(tip[1], 2)), _degrees(-u, -v)
    u, v = circle_node(j, n)
    bend = 0.16
    mx, my = (x + u) / 2 - bend * (v - y), (y + v) / 2 + bend * (u - x)
    start, stop = _toward(x, y, mx, my, 8), _toward(u, v, mx, my, 13)
    tip = _toward(u, v, mx, my, 8.5)
    path = f"M{start[0]:.2f} {start[1]:.2f}Q{mx:.2f} {my:.2f} {stop[0]:.2f} {stop[1]:.2f}"
    return path, (round(tip[0], 2), round(tip[1], 2)), _degrees(u - mx, v - my)


def side_node(i, n, *, left):
    gap = min(76.0, 272 / max(1, n - 1))
    return (92 if left else 228), round(160 + (i - (n - 1) / 2) * gap, 2)


def side_edge(i, j, n, m):
    """As `circle_edge`, for queries on the left and keys on the right."""
    (x, y), (u, v) = side_node(i, n, left=True), side_node(j, m, left=False)
    start, stop, tip = _toward(x, y, u, v, 10), _toward(u, v, x, y, 15), _toward(u, v, x, y, 10.5)
    path = f"M{start[0]:.2f} {start[1]:.2f}L{stop[0]:.2f} {stop[1]:.2f}"
    return path, (round(tip[0], 2), round(tip[1], 2)), _degrees(u - x, v - y)


def convex_hull(points):
    """Corners of the hull in order (Andrew's monotone chain); fewer than three distinct points are returned as they are."""
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


def _bdi(text, limit):
    short = visible(text, limit)
    title = f' title="{html.escape(text)}"' if short != text else ""
    return f"<bdi{title}>{html.escape(short)}</bdi>"


def _signed(x):
    return f"{x:g}".replace("-", "−")


def _toward(x, y, u, v, distance):
    length = math.hypot(u - x, v - y) or 1.0
    return x + (u - x) / length * distance, y + (v - y) / length * distance


def _degrees(dx, dy):
    return round(math.degrees(math.atan2(dy, dx)), 1)


def _cross(o, a, b):
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])
