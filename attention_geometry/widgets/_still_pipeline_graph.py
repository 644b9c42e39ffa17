"""The graph of `AttentionPipeline` as nested lists, and how its pictures write numbers; mirrors pipeline_picture.js."""

import math
from decimal import ROUND_HALF_UP, Decimal

from .._text import visible

COLOURS = {"Q": "#0072B2", "K": "#D55E00", "V": "#009E73", "A": "#0072B2"}
BOLD = {"font-weight": "600"}
HIDDEN, CROWD = 0.005, 12  #: weights without an edge; tokens from which names and edges get scarce


def graph_nodes(tokens, selected):
    """Tokens on a circle, in a square of 220."""
    n, crowd, nodes = len(tokens), len(tokens) > CROWD, []
    for i, token in enumerate(tokens):
        (x, y), (label, anchor), on = _spot(i, n), _name_at(i, n), i == selected
        dot = {"class": "ag-dot", "cx": short(x), "cy": short(y), "r": "3" if crowd else "6.5"}
        look = (
            {"class": "ag-name", "text-anchor": anchor} | (BOLD if on else {}) | ({"font-size": "9"} if crowd else {})
        )
        name = text(label[0], label[1] + 4, visible(token, 1 if crowd else 7), look)
        nodes.append(["g", {"class": "ag-pipe-node ag-on" if on else "ag-pipe-node"}, ["circle", dot], name])
    return nodes


def graph_edges(now):
    """Edges of the weights, those of the selected token last; from j to i where ``reading`` is "flows"."""
    n, selected, flows = len(now["A"]), now["selected"], now["reading"] == "flows"
    found = [(i, j, w) for i, row in enumerate(now["A"]) for j, w in enumerate(row or [])]
    found = [(i, j, w) for i, j, w in found if w >= HIDDEN and not (n > CROWD and i != selected)]
    edges = []
    for i, j, w in sorted(found, key=lambda edge: edge[0] == selected):
        on, (d, tip, turn, label, anchor) = i == selected, _loop(i, n) if i == j else _curve(i, j, n, flows)
        ink = (COLOURS["V"] if flows else COLOURS["Q"]) if on else "currentColor"
        kind = "ag-pipe-edge" + ((" ag-pipe-v" if flows else " ag-pipe-q") if on else "")
        head = f"translate({at(*tip)}) rotate({short(turn)}) scale({short(1 + 0.8 * w, 2)})"
        look = {"class": "ag-name", "text-anchor": anchor, "font-size": "12"} | BOLD
        number = [text(label[0], label[1] + 4, fixed(w, 2), look)] if on and n <= 4 else []
        edges.append([
            "g", {"class": kind, "opacity": short(0.55 + 0.45 * w if on else 0.1 + 0.35 * w, 2)},
            ["path", {"d": d, "fill": "none", "stroke": ink, "stroke-width": short(0.8 + 6.2 * w, 2)}],
            ["path", {"d": "M0 0L-8 4.2V-4.2Z", "fill": ink, "transform": head}],
            *number,
        ])  # fmt: skip
    return edges


def _direction(i, n):
    angle = 2 * math.pi * i / n - math.pi / 2
    return math.cos(angle), math.sin(angle)


def _spot(i, n):
    c, s = _direction(i, n)
    return 110 + 56 * c, 104 + 56 * s


def _name_at(i, n, on=0):
    (x, y), (c, s), away = _spot(i, n), _direction(i, n), 12 if n > CROWD else 26
    if n <= 4:
        return (x, y + (-30 - on if s < -0.5 else 32 + on if s > 0.9 else 22 + on)), "middle"
    anchor = "middle" if abs(c) < 0.35 else "start" if c > 0 else "end"
    return (x + away * c, y + (away + 4) * s + (-on if s < -0.5 else on)), anchor


def _curve(i, j, n, flows):
    a, b, bend, near = _spot(i, n), _spot(j, n), 0.2, 5 if n > CROWD else 12
    u, v = b[0] - a[0], b[1] - a[1]
    length = math.hypot(u, v) or 1.0
    mid = (a[0] + b[0]) / 2 - bend * v, (a[1] + b[1]) / 2 + bend * u
    start, stop = (b, a) if flows else (a, b)
    d = f"M{at(*_toward(start, mid, near - 3))}Q{at(*mid, *_toward(stop, mid, near + 5))}"
    label = (a[0] + b[0]) / 4 + mid[0] / 2 - 10 * v / length, (a[1] + b[1]) / 4 + mid[1] / 2 + 10 * u / length
    return d, _toward(stop, mid, near - 3), _degrees(stop[0] - mid[0], stop[1] - mid[1]), label, "middle"


def _loop(i, n):
    (x, y), (c, s) = _spot(i, n), _direction(i, n)
    name = _name_at(i, n, 15)
    if n <= 4 and abs(c) > 0.5:  # the name stands below: the loop goes aside, its number above it
        c, s = math.copysign(1, c), 0.0
        name = (x + 17 * c, y - 26), "middle"
    (a, b), (u, v) = [(math.cos(t) * c - math.sin(t) * s, math.sin(t) * c + math.cos(t) * s) for t in (-0.8, 0.8)]
    bends = at(x + 36 * a, y + 36 * b, x + 36 * u, y + 36 * v, x + 17 * u, y + 17 * v)
    return f"M{at(x + 9 * a, y + 9 * b)}C{bends}", (x + 9 * u, y + 9 * v), _degrees(-u, -v), *name


def _toward(point, other, distance):
    (x, y), (u, v) = point, other
    length = math.hypot(u - x, v - y) or 1.0
    return x + (u - x) / length * distance, y + (v - y) / length * distance


def _degrees(dx, dy):
    return math.degrees(math.atan2(dy, dx))


def text(x, y, body, more=None):
    return ["text", {"x": short(x), "y": short(y)} | (more or {}), body]


def at(*numbers):
    return " ".join(map(short, numbers))


def short(x, digits=1):
    """Rounded halves away from zero, as JavaScript does it, without zeros at the end."""
    return f"{float(_exact(x, digits)) or 0.0:g}"


def fixed(x, digits):
    shown = str(_exact(x, digits))
    return (shown.replace("-", "") if float(shown) == 0 else shown).replace("-", "−")


def _exact(x, digits):
    return Decimal(x).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
