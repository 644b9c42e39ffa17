"""The still pictures of `QueryKeyPlane`: planes, graph and table of the state it has now.

The positions of the graph mirror ``js/graph.js``, so that the picture does not jump when a page sets it in motion.
"""

import html
import math

from .._text import visible
from .svg import (
    BLUE,
    CROWD,
    GREEN,
    MARKERS,
    SIZE,
    VERMILION,
    along,
    axes,
    convex_hull,
    covered,
    filled,
    label,
    level_line,
    markers,
    nice_range,
    picture,
    place,
    shaft,
    subscript,
    taken_by_axes,
)


def token_plane(X, names):
    """Tokens as crosses in a plane of their own."""
    reach = nice_range(X)
    parts = [axes(reach), *markers([("x", point, name, False) for point, name in zip(X, names)], reach)]
    return picture("Plane of tokens (crosses).", parts)


def query_key_plane(Q, K, query_names, key_names, selected, *, winners=None, mode="dot"):
    """Queries and keys as arrows from the origin of one plane; ``winners``: in which patch each key wins a query."""
    reach = nice_range(Q + K)
    crowd = len(Q) + len(K) > CROWD
    faint = 0.4 if crowd else 0.75
    tips = [place(p, reach) for p in Q + K]
    busy = [pixel for tip in tips for pixel in along([(160, 160), tip])]
    patches, names = _patches(winners, key_names, reach, busy, tips) if winners else ([], [])
    parts = [*patches, axes(reach), *names]
    parts += [level_line(Q[selected], reach)] if mode != "distance" else []
    parts += [shaft(point, reach, "k", opacity=faint) for point in K]
    parts += [shaft(point, reach, "q", opacity=faint) for i, point in enumerate(Q) if i != selected]
    parts += [shaft(Q[selected], reach, "q", width=3)]
    handles = _handles(Q, K, query_names, key_names, selected, joint=not crowd)
    parts += markers(handles, reach, nameless="q" if crowd else "", lines=busy)
    return picture("Plane of queries (circles) and keys (squares).", parts)


def _handles(Q, K, query_names, key_names, selected, *, joint):
    """Keys, then queries; a key that lies on a query is a hollow square around it, and they share one name."""
    keys, called = [], [[name] for name in query_names]
    for k, name in zip(K, key_names):
        under = next((i for i, q in enumerate(Q) if list(q) == list(k)), None)
        if under is not None and joint:
            called[under] += [name] if name not in called[under] else []
        keys.append(("k" if under is None else "around", k, "" if under is not None and joint else name, False))
    return keys + [("q", q, names, i == selected) for i, (q, names) in enumerate(zip(Q, called))]


def _patches(winners, names, reach, busy, tips):
    """Where each key wins: shaded patches with a border, and their names where they cover least."""
    busy = [*busy, *taken_by_axes(reach), *(p for x, y in tips for p in filled((x - 16, y - 16, x + 16, y + 16)))]
    parts, labels = [], []
    for j, (corners, name) in enumerate(zip(winners, names)):
        if corners:
            points = " ".join(f"{x:g},{y:g}" for x, y in (place(p, reach) for p in corners))
            shade = (0.05, 0.14, 0.23, 0.32)[j % 4]
            parts.append(
                f'<polygon class="ag-cell" points="{points}" fill="{VERMILION}" fill-opacity="{shade}" '
                f'stroke="currentColor" stroke-opacity="0.5"/>'
            )
            middle, short = _centre(corners), visible(name, 8)
            spots = [place(middle, reach)]
            spots += [place(_centre([middle] * (3 - k) + [c] * k), reach) for k in (1, 2) for c in corners]
            half = 4 * len(short) + 3
            x, y = min(spots, key=lambda at: covered((at[0] - half, at[1] - 14, at[0] + half, at[1] + 7), busy))
            labels.append(label(x, y, short, "middle", muted=True))
    return parts, labels


def _centre(corners):
    return tuple(sum(p[c] for p in corners) / len(corners) for c in (0, 1))


def value_plane(V, row, y, selected):
    """Values, their hull, and the mixture of one query inside it; ``row`` is None where no key is allowed."""
    reach = nice_range(V)
    names = [f"v{subscript(j + 1)}" for j in range(len(V))]
    hull = " ".join(f"{a},{b}" for a, b in (place(p, reach) for p in convex_hull(V)))
    parts = [
        axes(reach),
        f'<polygon class="ag-hull" points="{hull}" fill="{GREEN}" fill-opacity="0.13" stroke="{GREEN}"/>',
    ]
    if row is not None:
        (a, b) = place(y, reach)
        for point, weight in zip(V, row):
            c, d = place(point, reach)
            parts.append(
                f'<path class="ag-mix" d="M{a} {b}L{c} {d}" stroke="currentColor" stroke-opacity="0.55" '
                f'stroke-width="{0.4 + 6 * weight:.2f}"/>'
            )
    points = [("v", point, name, False) for point, name in zip(V, names)]
    if row is None:
        parts.append(label(SIZE / 2, 314, f"q{subscript(selected + 1)} is masked: no mixture", "middle"))
    else:
        points.append(("y", y, f"y{subscript(selected + 1)}", True))
    corners = [place(p, reach) for p in convex_hull(V)]
    rays = [] if row is None else [pixel for point in V for pixel in along([place(y, reach), place(point, reach)])]
    parts += markers(points, reach, lines=along([*corners, *corners[:1]]) + rays)
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
            cells = "".join(f"<td>{w:.3f}</td>" if ok else "<td>–</td>" for w, ok in zip(weights[i], allowed[i]))
        title = f"<strong>{_bdi(name, 12)}</strong>" if i == selected else _bdi(name, 12)
        rows.append(f'<tr><th scope="row">{title}</th>{cells}</tr>')
    note = "" if all(map(all, allowed)) else " (–: masked)"
    return (
        '<table class="ag-table"><caption>Attention weights: one row for each query, one column for each key'
        f"{note}</caption><thead><tr><td></td>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


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


def _bdi(text, limit):
    short = visible(text, limit)
    title = f' title="{html.escape(text)}"' if short != text else ""
    return f"<bdi{title}>{html.escape(short)}</bdi>"


def _toward(x, y, u, v, distance):
    length = math.hypot(u - x, v - y) or 1.0
    return x + (u - x) / length * distance, y + (v - y) / length * distance


def _degrees(dx, dy):
    return round(math.degrees(math.atan2(dy, dx)), 1)
