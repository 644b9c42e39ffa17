"""The still picture of `MetricCourt`: tokens with the worst case of one axiom, the verdicts, the matrix.

The shapes mirror ``js/witness.js``, so that the picture does not jump when a page sets it in motion. Tokens are
numbered from 1 here, as in the text of the book.
"""

import html
import math

import numpy as np

from .._text import number, visible
from ..axioms import AXIOMS
from .svg import BLUE, VERMILION, axes, label, nice_range, picture, place

NAMES = {
    "non_negative": "non-negativity",
    "zero_diagonal": "zero diagonal",
    "separation": "separation",
    "symmetry": "symmetry",
    "triangle": "triangle",
}
CROSS = "M-3 -9H3V-3H9V3H3V9H-3V3H-9V-3H-3Z"  #: a token, as in the live picture
SIGNS = {True: "✓ holds", False: "✗ fails", None: "– undefined"}


def court(points, D, report, names, shown, subject, why):
    """Picture and two tables of the state a court has now; ``points`` is None where a matrix is given by hand."""
    n = len(D)
    if points is None:
        at, parts = [circle(i, n) for i in range(n)], []
    else:
        reach = nice_range(points)
        at, parts = [place(p, reach) for p in points], [axes(reach)]
    parts += [_line(at[i], at[j]) for i in range(n) for j in range(i)]
    verdict = getattr(report, shown)
    if verdict.witness is not None:
        colour = VERMILION if verdict.holds is False else "currentColor"
        for arrow in arrows(shown, verdict.witness, at, D):
            parts.append(_arrow(arrow, colour))
    for i, (x, y) in enumerate(at):
        parts.append(f'<path class="ag-x" d="{CROSS}" fill="currentColor" transform="translate({x} {y})"/>')
        parts.append(_name(i, x, y, names, on_circle=points is None))
    about = f"Tokens with the worst case of one axiom, {NAMES[shown]}: {SIGNS[verdict.holds]}."
    return picture(about, parts) + _verdicts(report, D, subject, why) + _matrix(D, names, subject)


def circle(i, n):
    """Where token i of n stands if the tokens are no points."""
    angle = -math.pi / 2 + 2 * math.pi * i / n
    return round(160 + 86 * math.cos(angle), 2), round(160 + 86 * math.sin(angle), 2)


def arrows(axiom, witness, at, D):
    """The arrows of a worst case: ``(path, tip, angle, middle, which way the number stands off, number, part)``."""
    if axiom == "triangle":
        i, j, k = witness
        (x, y), (a, b), (u, v) = at[i], at[j], at[k]
        bend = -0.2 if (u - x) * (b - y) - (v - y) * (a - x) > 0 else 0.2  # away from j
        apart = _control(at[i], at[k], bend)
        return [
            _curve(at[i], at[j], 0, D[i][j], "detour", apart),
            _curve(at[j], at[k], 0, D[j][k], "detour", apart),
            _curve(at[i], at[k], bend, D[i][k], "direct"),
        ]
    i, j = (*witness, witness[0])[:2]
    if i == j:
        return [_loop(at[i], D[i][i])]
    if axiom == "symmetry":
        return [_curve(at[i], at[j], 0.16, D[i][j], "direct"), _curve(at[j], at[i], 0.16, D[j][i], "direct")]
    return [_curve(at[i], at[j], 0, D[i][j], "direct")]


def _control(p, q, bend):
    return (p[0] + q[0]) / 2 - bend * (q[1] - p[1]), (p[1] + q[1]) / 2 + bend * (q[0] - p[0])


def _curve(p, q, bend, value, part, apart=None):
    """A curve from p to q; its number stands off to the side of the bend, or away from ``apart``."""
    m = _control(p, q, bend)
    length = math.hypot(q[0] - p[0], q[1] - p[1]) or 1.0
    across = -(q[1] - p[1]) / length, (q[0] - p[0]) / length
    side = math.copysign(1.0, bend or 1.0)
    if apart is not None and across[0] * (apart[0] - m[0]) + across[1] * (apart[1] - m[1]) > 0:
        side = -1.0
    middle = [0.25 * a + 0.5 * b + 0.25 * c for a, b, c in zip(p, m, q)]
    start, stop, tip = _toward(p, m, 9), _toward(q, m, 14), _toward(q, m, 9.5)
    path = f"M{start[0]:.2f} {start[1]:.2f}Q{m[0]:.2f} {m[1]:.2f} {stop[0]:.2f} {stop[1]:.2f}"
    return path, tip, _degrees(q[0] - m[0], q[1] - m[1]), middle, (side * across[0], side * across[1]), value, part


def _loop(p, value):
    """A loop at p, towards the middle of the picture: the name stands on the other side."""
    x, y = p
    length = math.hypot(x - 160, y - 160)
    c, s = ((160 - x) / length, (160 - y) / length) if length > 1 else (0.0, 1.0)
    (a, b), (u, v) = [(math.cos(t) * c - math.sin(t) * s, math.sin(t) * c + math.cos(t) * s) for t in (-0.8, 0.8)]
    bends = f"{x + 54 * a:.2f} {y + 54 * b:.2f} {x + 54 * u:.2f} {y + 54 * v:.2f}"
    path = f"M{x + 9 * a:.2f} {y + 9 * b:.2f}C{bends} {x + 14 * u:.2f} {y + 14 * v:.2f}"
    return path, (x + 9.5 * u, y + 9.5 * v), _degrees(-u, -v), (x + 36 * c, y + 36 * s), (c, s), value, "direct"


def _arrow(arrow, colour):
    path, (x, y), angle, (a, b), (c, s), value, part = arrow
    word = _number(value)
    off = 8 + 4 * len(word) * abs(c) + 5 * abs(s)
    colour = colour if part == "direct" else BLUE
    dash = ' stroke-dasharray="6 4"' if part == "detour" else ""
    return (
        f'<path class="ag-court-{part}" d="{path}" fill="none" stroke="{colour}" stroke-width="3"{dash}/>'
        f'<path class="ag-court-head" d="M0 0L-9 4.6V-4.6Z" fill="{colour}" '
        f'transform="translate({x:.2f} {y:.2f}) rotate({angle})"/>'
    ) + label(round(a + off * c, 2), round(b + off * s + 4.5, 2), word, "middle", strong=True)


def _line(p, q):
    return f'<path class="ag-grid" d="M{p[0]} {p[1]}L{q[0]} {q[1]}" stroke="currentColor" stroke-opacity="0.2"/>'


def _name(i, x, y, names, *, on_circle):
    text = str(i + 1) if names[i] == str(i + 1) else f"{i + 1} {visible(names[i], 7)}"
    if not on_circle:
        return label(round(x + 12, 2), round(y + 16, 2), text, "start", full=names[i])
    c, s = (x - 160) / 86, (y - 160) / 86
    anchor = "middle" if abs(c) < 0.35 else "start" if c > 0 else "end"
    return label(round(160 + 104 * c, 2), round(164.5 + 110 * s, 2), text, anchor, full=names[i])


def margin(axiom, verdict, D):
    """The worst case of an axiom in numbers, tokens counted from 1."""
    if verdict.witness is None:
        return "nothing to judge" if verdict.holds is None else "one token has no pairs"
    i, j, k = (*verdict.witness, verdict.witness[0], 0)[:3]
    d, fails = (lambda a, b: f"d({a + 1},{b + 1})"), verdict.holds is False
    value, worst = (lambda a, b: _number(D[a][b])), _number(abs(verdict.worst))
    if axiom == "triangle":
        sign, room = (">", f"by {worst}") if fails else ("≤", f"room {worst}")
        return f"{d(i, k)} = {value(i, k)} {sign} {value(i, j)} + {value(j, k)} = {d(i, j)} + {d(j, k)}, {room}"
    if axiom == "symmetry":
        if not fails:
            return "the same both ways, for every pair"
        return f"{d(i, j)} = {value(i, j)} ≠ {value(j, i)} = {d(j, i)}, by {worst}"
    if axiom == "zero_diagonal":
        return f"{d(i, i)} = {value(i, i)} ≠ 0" if fails else "d(i,i) = 0 for every token"
    if axiom == "separation":
        return f"{d(i, j)} = {value(i, j)}" if fails else f"closest to 0: {d(i, j)} = {value(i, j)}"
    return f"{d(i, j)} = {value(i, j)} < 0" if fails else f"smallest: {d(i, j)} = {value(i, j)}"


def _verdicts(report, D, subject, why):
    rows = "".join(
        f'<tr><th scope="row">{NAMES[axiom]}: {html.escape(formula)}</th>'
        f"<td>{SIGNS[getattr(report, axiom).holds]}</td>"
        f"<td>{html.escape(margin(axiom, getattr(report, axiom), D))}</td></tr>"
        for axiom, formula in AXIOMS.items()
    )
    note = f" – not defined here: {visible(why)}" if why else ""
    caption = html.escape(f"Which axioms hold for {subject}{note}")
    return (
        f'<table class="ag-table ag-words"><caption>{caption}</caption><thead><tr><th scope="col">axiom</th>'
        f'<th scope="col">verdict</th><th scope="col">worst case</th></tr></thead><tbody>{rows}</tbody></table>'
    )


def _matrix(D, names, subject):
    heads = [f"{i + 1}" if name == str(i + 1) else f"{i + 1} {visible(name, 10)}" for i, name in enumerate(names)]
    cells = [f"<bdi>{html.escape(head)}</bdi>" for head in heads]
    head = "".join(f'<th scope="col">{cell}</th>' for cell in cells)
    rows = "".join(
        f'<tr><th scope="row">{cells[i]}</th>{"".join(f"<td>{_number(x)}</td>" for x in row)}</tr>'
        for i, row in enumerate(D)
    )
    caption = f"{html.escape(subject)}: from row i to column j"
    return (
        f'<table class="ag-table"><caption>{caption}</caption><thead><tr><td></td>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )


def _number(x):
    return "∞" if np.isposinf(x) else number(float(x)).replace("-", "−")


def _toward(p, q, distance):
    length = math.hypot(q[0] - p[0], q[1] - p[1]) or 1.0
    return p[0] + (q[0] - p[0]) / length * distance, p[1] + (q[1] - p[1]) / length * distance


def _degrees(dx, dy):
    return round(math.degrees(math.atan2(dy, dx)), 1)
