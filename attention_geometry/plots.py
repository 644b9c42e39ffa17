"""Figures of the book: one function per kind of picture, one style, nothing computed here but positions on paper.

Every function draws on the axes it is given and returns them. q is a blue circle, k a vermilion square, v a green
triangle, y a diamond in the text colour. Needs the extra ``plots`` (matplotlib).
"""

import numpy as np

from ._inputs import require
from ._text import number, visible

BLUE, VERMILION, GREEN, INK, GREY = "#0072B2", "#D55E00", "#00805C", "#1a1a1a", "#6b6b6b"
QUERY = {"color": BLUE, "marker": "o"}
KEY = {"color": VERMILION, "marker": "s"}
VALUE = {"color": GREEN, "marker": "^"}
OUTPUT = {"color": INK, "marker": "D"}


def style():
    """Set the look of every figure in the book: SVG, reproducible to the byte, on an opaque light card.

    Works with any backend; inside IPython it also chooses SVG output for the inline one.
    """
    mpl = require("matplotlib", "plots")
    mpl.rcParams.update(
        {
            "figure.figsize": (5.0, 3.2),
            "figure.facecolor": "white",
            "savefig.facecolor": "white",
            "savefig.bbox": "tight",
            "savefig.pad_inches": 0.12,
            "figure.constrained_layout.use": True,
            "font.family": "DejaVu Sans",
            "font.size": 10.5,
            "axes.labelsize": 10.5,
            "xtick.labelsize": 10,
            "ytick.labelsize": 10,
            "axes.edgecolor": GREY,
            "axes.labelcolor": INK,
            "text.color": INK,
            "xtick.color": INK,
            "ytick.color": INK,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.linewidth": 0.8,
            "lines.linewidth": 1.8,
            "lines.markersize": 7,
            "hatch.linewidth": 0.6,
            "svg.hashsalt": "attention-geometry",
            "svg.fonttype": "path",
        }
    )
    try:
        from IPython import get_ipython
        from matplotlib_inline.backend_inline import set_matplotlib_formats
    except ImportError:
        return
    if get_ipython() is not None:
        set_matplotlib_formats("svg", metadata={"Date": None, "Creator": None})


def table(ax, M, rows, columns, *, signed=False, top=None, digits=None):
    """Draw a small matrix as coloured cells with the numbers in them.

    Parameters
    ----------
    ax : matplotlib Axes
    M : ndarray (m, n)
        NaN cells are hatched and mean masked or undefined.
    rows, columns : sequence of str
        Labels; shown as data, never as mathematics or markup.
    signed : bool
        A diverging map, symmetric about zero, instead of the sequential map from 0 to ``top``.
    top : float, optional
        End of the colour scale; 1 for weights, otherwise the largest magnitude.
    digits : int, optional
        Decimals; by default up to three significant digits.
    """
    M = np.asarray(M, dtype=float)
    top = (np.nanmax(np.abs(M)) if signed else 1.0) if top is None else top
    ax.imshow(M, cmap="RdBu_r" if signed else "Blues", vmin=-top if signed else 0.0, vmax=top, aspect="equal")
    shade = np.abs(M) / top if top else np.zeros_like(M)
    for i, j in np.ndindex(*M.shape):
        if np.isnan(M[i, j]):
            ax.add_patch(_rectangle(j, i))
            continue
        text = f"{M[i, j]:.{digits}f}" if digits is not None else f"{M[i, j]:.3g}"
        ax.text(j, i, text.replace("-", "−"), ha="center", va="center", color="white" if shade[i, j] > 0.6 else INK)
    _label_cells(ax, M.shape, rows, columns)
    return ax


def weights(ax, A, tokens, *, limit=12):
    """Draw a map of attention weights on the fixed scale from 0 to 1, queries down the side and keys along the top."""
    A = np.asarray(A, dtype=float)
    image = ax.imshow(A, cmap="Blues", vmin=0.0, vmax=1.0, aspect="equal")
    labels = [visible(t, limit) for t in tokens]
    _label_cells(ax, A.shape, labels, labels, rotation=90)
    ax.set_xlabel("key: is looked at", labelpad=8)
    ax.xaxis.set_label_position("top")
    ax.set_ylabel("query: looks")
    return image


def arrows(ax, points, kind, labels=()):
    """Draw vectors from the origin; each ends in the mark of its ``kind``: QUERY, KEY, VALUE or OUTPUT."""
    for i, (x, y) in enumerate(np.asarray(points, dtype=float)):
        ax.annotate("", (x, y), (0, 0), arrowprops={"arrowstyle": "-", "color": kind["color"], "lw": 1.8})
        ax.plot(x, y, linestyle="", **kind)
        if i < len(labels):
            shift = 14 * np.array([x, y]) / max(np.hypot(x, y), 1e-9)
            ax.annotate(
                labels[i], (x, y), shift, textcoords="offset points", color=kind["color"], ha="center", va="center"
            )
    return ax


def plane(ax, reach):
    """Prepare a square plane with axes through the origin and a light grid."""
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
    ax.axhline(0, color=GREY, lw=0.8, zorder=0)
    ax.axvline(0, color=GREY, lw=0.8, zorder=0)
    ax.grid(color="#e4e4e4", lw=0.6, zorder=-1)
    for spine in ax.spines.values():
        spine.set_visible(False)
    ax.tick_params(length=0, colors=GREY)
    return ax


def by_layer(ax, values, *, null=None, null_label="null", label=""):
    """Draw one dot a head over its layer, with the null's central 95 % as a dark band.

    Parameters
    ----------
    values : ndarray (layers, heads)
    null : ndarray, optional
        Draws from the null, one-dimensional.
    """
    values = np.asarray(values, dtype=float)
    layers, heads = values.shape
    if null is not None:
        low, high = np.quantile(null, [0.025, 0.975])
        ax.axhspan(low, high, color="#8f8f8f", lw=0, zorder=0)
        ax.annotate(
            f"{null_label}: mean {number(np.mean(null))}",
            (0.0, low),
            (4, -4),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            va="top",
        )
    jitter = np.linspace(-0.28, 0.28, heads)
    for layer in range(layers):
        ax.plot(layer + jitter, np.sort(values[layer]), "o", color=BLUE, ms=5, mec="white", mew=0.6)
        ax.plot([layer - 0.34, layer + 0.34], [np.median(values[layer])] * 2, color=BLUE, lw=2.2)
    ax.set_xticks(range(layers))
    ax.set_xlabel("layer (a dot is a head, the bar is the median)")
    ax.set_ylabel(label)
    return ax


def _label_cells(ax, shape, rows, columns, rotation=0):
    ax.set_xticks(range(shape[1]), list(columns), rotation=rotation, parse_math=False)
    ax.set_yticks(range(shape[0]), list(rows), parse_math=False)
    ax.tick_params(length=0, top=False, bottom=False, labeltop=True, labelbottom=False)
    for spine in ax.spines.values():
        spine.set_visible(False)


def _rectangle(j, i):
    from matplotlib.patches import Rectangle

    return Rectangle((j - 0.5, i - 0.5), 1, 1, facecolor="white", edgecolor=GREY, hatch="////", lw=0)
