"""The still pictures of `MixtureHull`: the plane of values, the plane of the residual stream, and the table."""

import html
import math

import numpy as np

from .._text import visible
from . import _hull
from .svg import GREEN, MARKERS, along, axes, convex_hull, label, markers, nice_range, picture, place

MASS = 34  #: radius of the disc of weight 1; its area is the weight
HOLLOW = 'fill="none" stroke="currentColor" stroke-width="2"'
SMALL = "M0 -6L5.5 4H-5.5Z"  #: a value that cannot be moved here
SHAPES = {  #: x a cross, y a diamond, y W_O a hollow one, x + y W_O one in a ring
    "output": MARKERS["y"],
    "x": '<path class="ag-x" d="M-3 -9H3V-3H9V3H3V9H-3V3H-9V-3H-3Z" fill="currentColor"/>',
    "projected": f'<path class="ag-hull-projected" d="M0 -9.5L9.5 0L0 9.5L-9.5 0Z" {HOLLOW}/>',
    "stream": f'<circle class="ag-hull-circle" r="11" {HOLLOW}/>'
    '<path class="ag-y" d="M0 -7L7 0L0 7L-7 0Z" fill="currentColor"/>',
}


def draw(widget, names):
    """All of it, for the state that the widget has now."""
    parts = [_value_plane(widget, names)]
    if widget.W_O is not None:
        parts.append(_stream_plane(widget))
    return "".join(parts) + _table(widget, names)


def _value_plane(widget, names):
    """Values with their hull, a disc for each weight, a ring for each of the second row, the path, the output."""
    V, allowed, reach = widget.V, widget.allowed, nice_range(widget.V)
    parts = [axes(reach), _polygon([v for v, ok in zip(V, allowed) if ok], reach)]
    for v, a, b in zip(V, widget.weights, widget.other_weights):
        (x, y), ring = place(v, reach), widget.along and b > 0
        parts.append(
            f'<circle class="ag-hull-disc" cx="{x}" cy="{y}" r="{_radius(a)}" fill="{GREEN}" fill-opacity="0.28"/>'
        )
        if ring:
            parts.append(
                f'<circle class="ag-hull-ring" cx="{x}" cy="{y}" r="{_radius(b)}" fill="none" stroke="currentColor" '
                'stroke-width="1.6" stroke-dasharray="4 3"/>'
            )
    points = [("v", v, name if ok else f"{name} (masked)", False) for v, name, ok in zip(V, names, allowed)]
    lines = _edge([v for v, ok in zip(V, allowed) if ok], reach)
    if allowed.any():
        path = [place(p, reach) for p in _hull.temperature_path(widget.scores, allowed, V)[1]]
        line = "L".join(f"{x} {y}" for x, y in path)
        parts.append(
            f'<path class="ag-hull-path" d="M{line}" fill="none" stroke="currentColor" stroke-width="1.8" '
            'stroke-dasharray="6 4"/>'
        )
        lines += along(path)
        points.append(("y", widget.output, "y", True))
    else:
        parts.append(label(160, 314, "no key is allowed: no output", "middle"))
    parts += markers(points, reach, lines=lines)
    return picture(
        "Plane of values (triangles), their hull, the output (diamond) and its path over the temperature.", parts
    )


def _stream_plane(widget):
    """Both hulls, x, and where W_O and the residual take the output."""
    V, W = np.array(widget.V), np.array(widget.V) @ np.array(widget.W_O)
    points = {"output": widget.output, "projected": widget.projected, "stream": widget.stream}
    shown = {name: p.tolist() for name, p in points.items() if widget.allowed.any()}
    reach = nice_range([*V.tolist(), *W.tolist(), widget.x, *shown.values()])
    parts = [
        axes(reach),
        _polygon(V[widget.allowed].tolist(), reach),
        _polygon(W[widget.allowed].tolist(), reach, dashed=True),
    ]
    for rows, look in ((V, f'class="ag-v" fill="{GREEN}"'), (W, f'class="ag-hull-ghost" fill="none" stroke="{GREEN}"')):
        parts += [f'<path {look} d="{SMALL}" transform="translate({_at(row, reach)})"/>' for row in rows.tolist()]
    lines = _edge(V[widget.allowed].tolist(), reach) + _edge(W[widget.allowed].tolist(), reach)
    lines += [pixel for row in [*V.tolist(), *W.tolist()] for pixel in along([place(row, reach)] * 2)]
    if shown:
        lines += along([place(widget.x, reach), place(shown["stream"], reach)])
        parts.append(
            f'<path class="ag-hull-step" d="M{_at(widget.x, reach)}L{_at(shown["stream"], reach)}" fill="none" '
            'stroke="currentColor" stroke-opacity="0.6" stroke-width="1.6"/>'
        )
    names = {"output": "y", "projected": "yWₒ", "stream": "x + yWₒ"}
    points = [("x", widget.x, "x", False), *((kind, p, names[kind], True) for kind, p in shown.items())]
    parts += markers(points, reach, shapes=SHAPES, lines=lines)
    return picture("Plane of the residual stream: hulls of v and of vWₒ, y, yWₒ, x and x + yWₒ.", parts)


def _table(widget, names):
    """Values, scores and both rows of weights; under them where the points lie, in words."""
    second = bool(widget.along)
    heads = ["value", "score", "weight a", *(["weight a′"] if second else [])]
    head = "".join(f'<th scope="col">{text}</th>' for text in heads)
    rows = []
    for name, v, s, a, b, ok in zip(
        names, widget.V, widget.scores, widget.weights, widget.other_weights, widget.allowed
    ):
        cells = [
            f"({_number(v[0])}, {_number(v[1])})",
            _number(s),
            *([f"{a:.3f}", f"{b:.3f}"] if ok else ["masked", "masked"]),
        ]
        title = f'<th scope="row"><bdi>{html.escape(visible(name, 12))}</bdi></th>'
        rows.append(f"<tr>{title}{''.join(f'<td>{cell}</td>' for cell in cells[: len(heads)])}</tr>")
    return (
        f'<table class="ag-table"><caption>{_sentence(widget)}</caption><thead><tr><td></td>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _sentence(widget):
    """The output and its hulls in one or two sentences."""
    if not widget.allowed.any():
        return "No key is allowed: no weights and no output."
    y = "Output y = (" + ", ".join(_number(c) for c in widget.output) + f"), effective keys {widget.effective_keys:.2f}"
    if widget.along:
        y += "; both rows of weights give it"
    words = {"inside": "inside", "edge": "on the edge of", "outside": "outside"}
    if widget.verdicts is None:
        return f"{y}."
    return f"{y}. x + yWₒ lies {words[widget.verdicts['stream'][0]]} the hull of the values."


def _polygon(points, reach, *, dashed=False):
    corners = " ".join(f"{x},{y}" for x, y in (place(p, reach) for p in convex_hull(points)))
    if dashed:
        return (
            f'<polygon class="ag-hull-shadow" points="{corners}" fill="none" stroke="{GREEN}" stroke-dasharray="7 4"/>'
        )
    return f'<polygon class="ag-hull" points="{corners}" fill="{GREEN}" fill-opacity="0.13" stroke="{GREEN}"/>'


def _edge(points, reach):
    corners = [place(p, reach) for p in convex_hull(points)]
    return along([*corners, *corners[:1]])


def _at(point, reach):
    x, y = place(point, reach)
    return f"{x} {y}"


def _radius(weight):
    return f"{MASS * math.sqrt(weight):.2f}"


def _number(x):
    text = f"{x:.2f}"
    return (text.replace("-", "") if float(text) == 0 else text).replace("-", "−")
