"""The still picture of `AttentionPipeline`: all stages in one drawing, and its numbers as tables.

The drawing is the one that ``js/pipeline_picture.js`` writes for paper, as the same nested lists
``[tag, attributes, …children]``; ``tests/fixtures/stages.json`` holds the two together.
"""

import html
import math

from .._text import visible
from ._still_pipeline_graph import BOLD, COLOURS, at, fixed, graph_edges, graph_nodes, short, text
from .svg import nice_range

GIVEN, LANES = ("X", "W_Q", "W_K", "W_V"), ("Q", "K", "V")
SHAPES = {
    "Q": "M-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0 -11 0Z",
    "K": "M-5 -5H5V5H-5Z",
    "V": "M0 -6.3L6 4.3H-6Z",
}
W, H, NAME, GAP, SIDE, TOP = 44, 26, 58, 44, 16, 66  #: a cell, names, space between stages, margins
FONT = "Segoe UI, Roboto, Helvetica, Arial, Liberation Sans, sans-serif"  #: narrow enough for the cells
MIDDLE, END = {"text-anchor": "middle"}, {"text-anchor": "end"}
SMALL = {"font-size": "12"}
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
    drawing = markup(picture(now, tokens, settings_line(now), low=14))
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


def picture(now, tokens, settings, *, low=0):
    """The drawing; its graph ``low`` units lower, so that the number of a loop at the top is off the line above."""
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
            "viewBox": f"0 0 {at(width, foot + 26)}", "width": short(width), "height": short(foot + 26),
            "font-family": FONT, "font-size": "14", "fill": "currentColor",
        },
        *[_across("X", X.r + 4, X.cy, B - 5, box[f"W_{name}"].cy) for name in LANES],
        *[_across(name, box[f"W_{name}"].r + 4, box[f"W_{name}"].cy, M - 4, box[f"W_{name}"].cy) for name in LANES],
        *[_across(name, box[name].r + 4, box[name].cy, C + 4, S.cy) for name in ("Q", "K")],
        _line("A", f"M{at(S.cx, S.b + 4)}V{short(A.y - 67)}", S.cx, A.y - 62, 90),
        _across("A", A.r + 4, A.cy - 6, D + 24, rows[0] + 112),
        _across("A", A.r + 4, A.cy, D + 4, Y.cy),
        _under("V", V.cx, V.b + 4, Y.cx, Y.b + 4, foot),
        *[part for k, (x, y) in enumerate(heads) for part in _head(k, x, y, now)],
        *[part for name, y in zip(LANES, rows) for part in _lane_head(name, B, M, y)],
        *[
            text(box[name].x - 6, box[name].y + i * H + 17.5, visible(token, 7), END | bold[i == now["selected"]])
            for name in "XSAY"
            for i, token in enumerate(tokens)
        ],
        *[
            text(box[name].x + (j + 0.5) * W, box[name].y - 6, visible(token, 6), MIDDLE | SMALL)
            for name in "SA"
            for j, token in enumerate(tokens)
        ],
        *[cell for name in box for cell in _cells(name, box[name], now)],
        *(_points(now["X"], tokens, SIDE + NAME - 20, rows[1] + 8, 120) if d == 2 else []),
        ["g", {"transform": f"translate({at(D, TOP - 22 + low)})"}, *graph],
        text(SIDE, foot + 14, settings, SMALL),
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
        return fixed(x, 0)
    return fixed(x, 2)[:-1] if given and fixed(x, 2).endswith("0") else fixed(x, 2)


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
    ring = {"cx": short(x + 9), "cy": short(y - 4.5), "r": "9", "fill": "none", "stroke": "currentColor"}
    return [
        ["circle", ring],
        text(x + 9, y, str(k + 1), MIDDLE | {"font-size": "12"} | BOLD),
        text(x + 24, y, HEADS[k], {"font-size": "14"} | BOLD),
        *([text(x, y + 20, hint, SMALL)] if hint else []),
    ]


def _lane_head(name, x, m, y):
    symbol = {"x": short(x), "y": short(y - 7), "font-style": "italic"}
    place = f"translate({at(m + 6, y - 11)})"
    shape = {"class": f"ag-{name.lower()}", "d": SHAPES[name], "fill": COLOURS[name], "transform": place}
    return [
        ["text", symbol, "W", ["tspan", {"dy": "3", "font-size": "9"}, name]],
        ["path", shape],
        text(m + 17, y - 7, NAMES[name]),
        text(x, y - 24, MEANS[name], SMALL),
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
                "x": short(left + 1), "y": short(top + 1), "width": str(W - 2), "height": str(H - 2), "rx": "3",
                "fill": colour, "fill-opacity": short(0.05 + deep * shade, 2), **frame,
            }  # fmt: skip
            look = {"stroke": "currentColor", "stroke-opacity": "0.25", "stroke-width": "0.7"}
            lines = ["path", {"d": _hatch(left + 1, top + 1, W - 2, H - 2)} | look]
            hatched = [lines] if masked or value < 0 else []
            cells.append(
                ["g", {}, ["rect", rect], *hatched, text(left + W / 2, top + 17.5, cell_text(value, given), MIDDLE)]
            )
    return cells


def _hatch(x, y, w, h):
    return "".join(
        f"M{at(x + min(s, w), y + max(0, s - w))}L{at(x + max(0, s - h), y + min(s, h))}" for s in range(7, w + h, 7)
    )


def _points(X, tokens, x, y, side):
    half, reach = side / 2, nice_range(X)
    axes = f"M{at(x, y + half)}h{side}M{at(x + half, y)}v{side}"
    parts = [["path", {"d": axes, "stroke": "currentColor", "stroke-opacity": "0.35"}]]
    for (u, v), token in zip(X, tokens):
        a, b = x + half + (u / reach) * half, y + half - (v / reach) * half
        parts.append(["circle", {"cx": short(a), "cy": short(b), "r": "4.5"}])
        parts.append(text(a, b - 8, visible(token, 7), MIDDLE | SMALL))
    return parts


def _line(name, d, x, y, turn):
    shaft = {"d": d, "fill": "none", "stroke": _colour(name), "stroke-width": "1.5"}
    tip = {"d": "M0 0L-7 3.6V-3.6Z", "fill": _colour(name), "transform": f"translate({at(x, y)}) rotate({turn})"}
    return ["g", {}, ["path", shaft], ["path", tip]]


def _across(name, x1, y1, x2, y2):
    half = (x2 - x1) / 2
    return _line(name, f"M{at(x1, y1)}C{at(x1 + half, y1, x2 - half, y2, x2 - 5, y2)}", x2, y2, 0)


def _under(name, x1, y1, x2, y2, low):
    d = f"M{at(x1, y1)}V{short(low - 8)}q0 8 8 8H{short(x2 - 8)}q8 0 8 -8V{short(y2 + 5)}"
    return _line(name, d, x2, y2, -90)


def _colour(name):
    return COLOURS.get(name[-1], "currentColor")


def _bdi(token):
    shown = visible(token, 12)
    title = f' title="{html.escape(token)}"' if shown != token else ""
    return f"<bdi{title}>{html.escape(shown)}</bdi>"
