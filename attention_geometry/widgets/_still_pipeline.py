"""The still picture of `AttentionPipeline`: all stages in one drawing, and its numbers as tables.

The drawing is the one that ``js/pipeline_picture.js`` writes for paper, as the same nested lists
``[tag, attributes, …children]``; ``tests/fixtures/stages.json`` holds the two together.
"""

import html
import math
from decimal import ROUND_HALF_UP, Decimal

from .._text import visible
from .svg import nice_range

GIVEN, LANES = ("X", "W_Q", "W_K", "W_V"), ("Q", "K", "V")
COLOURS = {"Q": "#0072B2", "K": "#D55E00", "V": "#009E73", "A": "#0072B2"}
SHAPES = {
    "Q": "M-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0 -11 0Z",
    "K": "M-5 -5H5V5H-5Z",
    "V": "M0 -6.3L6 4.3H-6Z",
}
W, H, NAME, GAP, SIDE, TOP = 44, 26, 58, 44, 16, 66  #: a cell, names, space between stages, margins
FONT = "Segoe UI, Roboto, Helvetica, Arial, Liberation Sans, sans-serif"  #: narrow enough for the cells
HIDDEN, CROWD = 0.005, 12  #: weights without an edge; tokens from which names and edges get scarce
MIDDLE, END = {"text-anchor": "middle"}, {"text-anchor": "end"}
SMALL, BOLD = {"font-size": "12"}, {"font-weight": "600"}
HEADS = ("Words as numbers", "Ask, offer, carry", "Compare", "Share", "Who attends to whom", "Mix")
HINTS = ("A row for each word.", "", "", "Each row adds up to 1.", "", "The values, mixed by the shares.")
NAMES = {"X": "tokens", "Q": "queries", "K": "keys", "V": "values", "S": "scores", "A": "weights", "Y": "outputs"}
MEANS = {"Q": "what it looks for", "K": "what it offers", "V": "what it hands on"}
ARROWS = {
    "attends": "Arrow i → j: i attends to j. Wider is more.",
    "flows": "Arrow j → i: information flows from j to i. Wider is more.",
}


def still(now, tokens):
    """HTML of the picture and its tables; ``now`` holds the matrices by name, allowed, and the settings."""
    drawing = markup(picture(now, tokens, settings_line(now)))
    name = html.escape(
        f"One attention step over {len(tokens)} tokens, from X to the outputs; all numbers follow as tables."
    )
    drawing = drawing.replace("<svg ", f'<svg class="ag-picture" role="img" aria-label="{name}" ', 1)
    tables = token_table(now, tokens, "XQKV") + matrix_table(now) + token_table(now, tokens, "SAY")
    return f'<div class="ag-scroll ag-pipe-still">{drawing}</div>{tables}'


def markup(node):
    """Nested lists as SVG text."""
    if isinstance(node, str):
        return html.escape(node)
    tag, attributes, *children = node
    inside = "".join(f' {name}="{html.escape(value)}"' for name, value in attributes.items())
    return f"<{tag}{inside}>{''.join(map(markup, children))}</{tag}>"


def token_table(now, tokens, names):
    """One row for each token with its rows of the matrices ``names``."""
    columns = [(name, now[name]) for name in names]
    widths = {name: len(next(filter(None, rows), [])) or 1 for name, rows in columns}
    groups = "".join(f'<th scope="colgroup" colspan="{widths[name]}">{NAMES[name]}</th>' for name, _ in columns)
    keys = {"S": tokens, "A": tokens}
    heads = "".join(
        f'<th scope="col">{_bdi(keys[name][j]) if name in keys else j + 1}</th>'
        for name, _ in columns
        for j in range(widths[name])
    )
    body = []
    for i, token in enumerate(tokens):
        cells = []
        for name, rows in columns:
            if rows[i] is None:
                cells.append(f'<td colspan="{widths[name]}">masked</td>')
                continue
            numbers = [None if name == "A" and not now["allowed"][i][j] else x for j, x in enumerate(rows[i])]
            cells += [f"<td>{cell_text(x, name in GIVEN)}</td>" for x in numbers]
        title = f"<strong>{_bdi(token)}</strong>" if i == now["selected"] else _bdi(token)
        body.append(f'<tr><th scope="row">{title}</th>{"".join(cells)}</tr>')
    note = "" if all(map(all, now["allowed"])) else " (–: masked)"
    caption = "Scores and weights have a column for each key" + note if "A" in names else "One row for each token"
    return (
        f'<div class="ag-scroll"><table class="ag-table"><caption>{caption}</caption><thead>'
        f"<tr><td></td>{groups}</tr><tr><td></td>{heads}</tr></thead>"
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


def matrix_table(now):
    """The three matrices that make queries, keys and values."""
    groups = "".join(f'<th scope="colgroup" colspan="{len(now[f"W_{name}"][0])}">W_{name}</th>' for name in LANES)
    body = "".join(
        f'<tr><th scope="row">{r + 1}</th>'
        + "".join(f"<td>{cell_text(x, True)}</td>" for name in LANES for x in now[f"W_{name}"][r])
        + "</tr>"
        for r in range(len(now["W_Q"]))
    )
    return (
        '<table class="ag-table"><caption>The matrices: queries are X W_Q, keys X W_K, values X W_V</caption>'
        f"<thead><tr><td></td>{groups}</tr></thead><tbody>{body}</tbody></table>"
    )


# ---------------------------------------------------------------- the drawing, line by line as in pipeline_picture.js


def picture(now, tokens, settings):
    n, d, wide = len(now["X"]), len(now["X"][0]), max(len(now["Q"][0]), len(now["V"][0]))
    lane = max(n, d) * H + 46
    rows = [TOP + 24 + part * lane for part in range(3)]
    B = SIDE + NAME + max(d * W, 100) + GAP
    M = B + wide * W + 30
    C = M + wide * W + GAP
    D = C + NAME + n * W + GAP
    width = D + max(220, NAME + len(now["V"][0]) * W) + SIDE
    foot = rows[2] + max(n, d) * H + 26
    place = {"X": (SIDE + NAME, rows[0]), "S": (C + NAME, rows[0]), "A": (C + NAME, rows[2]), "Y": (D + NAME, rows[2])}
    for name, y in zip(LANES, rows):
        place |= {f"W_{name}": (B, y), name: (M, y)}
    box = {name: _Box(x, y, now, name) for name, (x, y) in place.items()}
    heads = [(SIDE, 28), (B, 28), (C, 28), (C, rows[2] - 46), (D, 28), (D, rows[2] - 46)]
    X, S, A, V, Y = (box[name] for name in "XSAVY")
    bold, graph = ({}, BOLD), [*graph_edges(now), *graph_nodes(tokens, now["selected"])]
    return [
        "svg",
        {
            "viewBox": f"0 0 {_at(width, foot + 26)}", "width": _short(width), "height": _short(foot + 26),
            "font-family": FONT, "font-size": "14", "fill": "currentColor",
        },
        *[_across("X", X.r + 4, X.cy, B - 5, box[f"W_{name}"].cy) for name in LANES],
        *[_across(name, box[f"W_{name}"].r + 4, box[f"W_{name}"].cy, M - 4, box[f"W_{name}"].cy) for name in LANES],
        *[_across(name, box[name].r + 4, box[name].cy, C + 4, S.cy) for name in ("Q", "K")],
        _line("A", f"M{_at(S.cx, S.b + 4)}V{_short(A.y - 67)}", S.cx, A.y - 62, 90),
        _across("A", A.r + 4, A.cy - 6, D + 24, rows[0] + 112),
        _across("A", A.r + 4, A.cy, D + 4, Y.cy),
        _under("V", V.cx, V.b + 4, Y.cx, Y.b + 4, foot),
        *[part for k, (x, y) in enumerate(heads) for part in _head(k, x, y, now)],
        *[part for name, y in zip(LANES, rows) for part in _lane_head(name, B, M, y)],
        *[
            _text(box[name].x - 6, box[name].y + i * H + 17.5, visible(token, 7), END | bold[i == now["selected"]])
            for name in "XSAY"
            for i, token in enumerate(tokens)
        ],
        *[
            _text(box[name].x + (j + 0.5) * W, box[name].y - 6, visible(token, 6), MIDDLE | SMALL)
            for name in "SA"
            for j, token in enumerate(tokens)
        ],
        *[cell for name in box for cell in _cells(name, box[name], now)],
        *(_points(now["X"], tokens, SIDE + NAME - 20, rows[1] + 8, 120) if d == 2 else []),
        ["g", {"transform": f"translate({_at(D, TOP - 22)})"}, *graph],
        _text(SIDE, foot + 14, settings, SMALL),
    ]  # fmt: skip


def settings_line(now):
    scale = f"√{len(now['Q'][0])}" if now["scaled"] else "1"
    t = "∞" if now["temperature"] == math.inf else repr(now["temperature"]).removesuffix(".0")
    mask = "custom" if isinstance(now["mask"], list) else now["mask"] or "none"
    return (
        f"Scores divided by {scale}. Temperature {t}. Mask: {mask}. A frame: a number that was given; the others "
        "follow. Slanted lines: below zero, or masked."
    )


def cell_text(x, given=False):
    """A number short enough for a cell: what is given with at least one decimal, what is made with two."""
    if x is None:
        return "–"
    if abs(x) >= 999.5:
        mantissa, exponent = f"{x:.0e}".split("e")
        return f"{mantissa}e{int(exponent)}".replace("-", "−")
    if abs(x) >= 99.95:
        return _fixed(x, 0)
    return _fixed(x, 2)[:-1] if given and _fixed(x, 2).endswith("0") else _fixed(x, 2)


class _Box:
    """Where a matrix stands: left, top, right, bottom, middle, and how many columns it has."""

    def __init__(self, x, y, now, name):
        full = next(filter(None, now[name]), None)
        self.long = len(full) if full else len(now["X"]) if name == "A" else len(now["V"][0])
        self.x, self.y, self.r, self.b = x, y, x + self.long * W, y + len(now[name]) * H
        self.cx, self.cy = (self.x + self.r) / 2, (self.y + self.b) / 2


def _head(k, x, y, now):
    hint = HINTS[k]
    if k == 2:
        scale = f" / √{len(now['Q'][0])}" if now["scaled"] and len(now["Q"][0]) > 1 else ""
        hint = f"query · key{scale}: how well they match"
    if k == 4:
        hint = ARROWS[now["reading"]]
    ring = {"cx": _short(x + 9), "cy": _short(y - 4.5), "r": "9", "fill": "none", "stroke": "currentColor"}
    return [
        ["circle", ring],
        _text(x + 9, y, str(k + 1), MIDDLE | {"font-size": "12"} | BOLD),
        _text(x + 24, y, HEADS[k], {"font-size": "14"} | BOLD),
        *([_text(x, y + 20, hint, SMALL)] if hint else []),
    ]


def _lane_head(name, x, m, y):
    symbol = {"x": _short(x), "y": _short(y - 7), "font-style": "italic"}
    place = f"translate({_at(m + 6, y - 11)})"
    shape = {"class": f"ag-{name.lower()}", "d": SHAPES[name], "fill": COLOURS[name], "transform": place}
    return [
        ["text", symbol, "W", ["tspan", {"dy": "3", "font-size": "9"}, name]],
        ["path", shape],
        _text(m + 17, y - 7, NAMES[name]),
        _text(x, y - 24, MEANS[name], SMALL),
    ]


def _cells(name, box, now):
    largest = max([0.0, *(abs(x) for row in now[name] for x in row or [])])
    given, colour = name in GIVEN, _colour(name)
    deep, cells = (0.2 if colour == "currentColor" else 0.3), []
    for i, row in enumerate(now[name]):
        for j in range(box.long):
            masked = row is None or (name == "A" and not now["allowed"][i][j])
            value, left, top = None if masked else row[j], box.x + j * W, box.y + i * H
            shade = 0 if masked else min(1, abs(value) / (1 if name == "A" else largest or 1))
            frame = {"stroke": "currentColor", "stroke-opacity": "0.55"} if given else {}
            rect = {
                "x": _short(left + 1), "y": _short(top + 1), "width": str(W - 2), "height": str(H - 2), "rx": "3",
                "fill": colour, "fill-opacity": _short(0.05 + deep * shade, 2), **frame,
            }  # fmt: skip
            look = {"stroke": "currentColor", "stroke-opacity": "0.25", "stroke-width": "0.7"}
            lines = ["path", {"d": _hatch(left + 1, top + 1, W - 2, H - 2)} | look]
            hatched = [lines] if masked or value < 0 else []
            cells.append(
                ["g", {}, ["rect", rect], *hatched, _text(left + W / 2, top + 17.5, cell_text(value, given), MIDDLE)]
            )
    return cells


def _hatch(x, y, w, h):
    return "".join(
        f"M{_at(x + min(s, w), y + max(0, s - w))}L{_at(x + max(0, s - h), y + min(s, h))}" for s in range(7, w + h, 7)
    )


def _points(X, tokens, x, y, side):
    half, reach = side / 2, nice_range(X)
    axes = f"M{_at(x, y + half)}h{side}M{_at(x + half, y)}v{side}"
    parts = [["path", {"d": axes, "stroke": "currentColor", "stroke-opacity": "0.35"}]]
    for (u, v), token in zip(X, tokens):
        a, b = x + half + (u / reach) * half, y + half - (v / reach) * half
        parts.append(["circle", {"cx": _short(a), "cy": _short(b), "r": "4.5"}])
        parts.append(_text(a, b - 8, visible(token, 7), MIDDLE | SMALL))
    return parts


def _line(name, d, x, y, turn):
    shaft = {"d": d, "fill": "none", "stroke": _colour(name), "stroke-width": "1.5"}
    tip = {"d": "M0 0L-7 3.6V-3.6Z", "fill": _colour(name), "transform": f"translate({_at(x, y)}) rotate({turn})"}
    return ["g", {}, ["path", shaft], ["path", tip]]


def _across(name, x1, y1, x2, y2):
    half = (x2 - x1) / 2
    return _line(name, f"M{_at(x1, y1)}C{_at(x1 + half, y1, x2 - half, y2, x2 - 5, y2)}", x2, y2, 0)


def _under(name, x1, y1, x2, y2, low):
    d = f"M{_at(x1, y1)}V{_short(low - 8)}q0 8 8 8H{_short(x2 - 8)}q8 0 8 -8V{_short(y2 + 5)}"
    return _line(name, d, x2, y2, -90)


def graph_nodes(tokens, selected):
    """Tokens on a circle, in a square of 220."""
    n, crowd, nodes = len(tokens), len(tokens) > CROWD, []
    for i, token in enumerate(tokens):
        (x, y), (label, anchor), on = _spot(i, n), _name_at(i, n), i == selected
        dot = {"class": "ag-dot", "cx": _short(x), "cy": _short(y), "r": "3" if crowd else "6.5"}
        look = (
            {"class": "ag-name", "text-anchor": anchor} | (BOLD if on else {}) | ({"font-size": "9"} if crowd else {})
        )
        name = _text(label[0], label[1] + 4, visible(token, 1 if crowd else 7), look)
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
        head = f"translate({_at(*tip)}) rotate({_short(turn)}) scale({_short(1 + 0.8 * w, 2)})"
        look = {"class": "ag-name", "text-anchor": anchor, "font-size": "12"} | BOLD
        number = [_text(label[0], label[1] + 4, _fixed(w, 2), look)] if on and n <= 4 else []
        edges.append([
            "g", {"class": kind, "opacity": _short(0.55 + 0.45 * w if on else 0.1 + 0.35 * w, 2)},
            ["path", {"d": d, "fill": "none", "stroke": ink, "stroke-width": _short(0.8 + 6.2 * w, 2)}],
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
    d = f"M{_at(*_toward(start, mid, near - 3))}Q{_at(*mid, *_toward(stop, mid, near + 5))}"
    label = (a[0] + b[0]) / 4 + mid[0] / 2 - 10 * v / length, (a[1] + b[1]) / 4 + mid[1] / 2 + 10 * u / length
    return d, _toward(stop, mid, near - 3), _degrees(stop[0] - mid[0], stop[1] - mid[1]), label, "middle"


def _loop(i, n):
    (x, y), (c, s) = _spot(i, n), _direction(i, n)
    name = _name_at(i, n, 15)
    if n <= 4 and abs(c) > 0.5:  # the name stands below: the loop goes aside, its number above it
        c, s = math.copysign(1, c), 0.0
        name = (x + 17 * c, y - 26), "middle"
    (a, b), (u, v) = [(math.cos(t) * c - math.sin(t) * s, math.sin(t) * c + math.cos(t) * s) for t in (-0.8, 0.8)]
    bends = _at(x + 36 * a, y + 36 * b, x + 36 * u, y + 36 * v, x + 17 * u, y + 17 * v)
    return f"M{_at(x + 9 * a, y + 9 * b)}C{bends}", (x + 9 * u, y + 9 * v), _degrees(-u, -v), *name


def _toward(point, other, distance):
    (x, y), (u, v) = point, other
    length = math.hypot(u - x, v - y) or 1.0
    return x + (u - x) / length * distance, y + (v - y) / length * distance


def _degrees(dx, dy):
    return math.degrees(math.atan2(dy, dx))


def _colour(name):
    return COLOURS.get(name[-1], "currentColor")


def _text(x, y, body, more=None):
    return ["text", {"x": _short(x), "y": _short(y)} | (more or {}), body]


def _at(*numbers):
    return " ".join(map(_short, numbers))


def _short(x, digits=1):
    """Rounded halves away from zero, as JavaScript does it, without zeros at the end."""
    return f"{float(_exact(x, digits)) or 0.0:g}"


def _fixed(x, digits):
    text = str(_exact(x, digits))
    return (text.replace("-", "") if float(text) == 0 else text).replace("-", "−")


def _exact(x, digits):
    return Decimal(x).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)


def _bdi(text):
    short = visible(text, 12)
    title = f' title="{html.escape(text)}"' if short != text else ""
    return f"<bdi{title}>{html.escape(short)}</bdi>"
