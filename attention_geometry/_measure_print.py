"""How measurements are printed: a table of medians over heads, what they were held against, and the conditions."""

import html
import textwrap

import numpy as np

from attention_geometry._text import visible

WIDTH = 84
SPACES = {
    "weights": "weight space: the form B = W_Q W_Kᵀ, no text",
    "scores": "score space",
    "attention": "attention weights",
    "representation": "representations, one number a layer",
    "explanation": "contributions",
}
HEAD = ("measure", "median", "over heads", "over texts", "null", "effect", "pct")


def as_text(found):
    """At most `WIDTH` columns: fewer digits where needed."""
    for digits in (3, 2, 1):
        lines = _lines(found, digits)
        if max(map(len, lines)) <= WIDTH:
            break
    return "\n".join([_title(found), "", *lines, "", *_notes(found)])


def _lines(found, digits):
    groups = [(space, _rows(found, space, digits)) for space in SPACES]
    rows = [row for _, part in groups for row in part]
    widths = [max(len(row[c]) for row in [HEAD, *rows]) for c in range(len(HEAD))]
    lines = [_line(HEAD, widths)]
    for space, part in groups:
        lines += [f"– {SPACES[space]}", *(_line(row, widths) for row in part)] if part else []
    return lines


def _line(cells, widths):
    """Text to the left, numbers to the right."""
    aligned = [c.ljust(w) if i in (0, 4) else c.rjust(w) for i, (c, w) in enumerate(zip(cells, widths))]
    return " ".join(aligned).rstrip()


def _rows(found, space, digits):
    """One row for each measure of a space, with its first null, and one for each further null."""
    rows = []
    for name, of in found.measures.items():
        if of["space"] != space:
            continue
        values, ends = found.mean(name), found.interval(name)
        known = values[np.isfinite(values)]
        number = _number(digits)
        middle = number(np.median(known)) if known.size else "–"
        spread = f"{number(known.min())}…{number(known.max())}" if known.size else "undefined"
        over_texts = f"{number(ends['median_low'])}…{number(ends['median_high'])}"
        over_texts = "–" if np.isnan(ends["median_low"]) else over_texts
        first = [of["label"], middle, spread, over_texts]
        for null in [null for measure, null in found.draws if measure == name and known.size] or [""]:
            rows.append((*first, *_null_cells(found, name, null, number)))
            first = [""] * 4
    return rows


def _null_cells(found, name, null, number):
    if not null:
        return "", "", ""
    against = found.against(name, null)
    effect, percentile = against["median_effect"], against["median_percentile"]
    sign = "+" if effect > 0 else ""
    return null, sign + number(effect), "–" if np.isnan(percentile) else f"{percentile:.0f}"


def _number(digits):
    return lambda x: "–" if np.isnan(x) else f"{x:.{digits}g}".replace("e-0", "e-").replace("-", "−") if x else "0"


def _title(found):
    c = found.conditions
    tokens = c["tokens"]
    span = f"{min(tokens)}" if min(tokens) == max(tokens) else f"{min(tokens)} to {max(tokens)}"
    texts = f"1 text of {span} tokens" if len(tokens) == 1 else f"{len(tokens)} texts of {span} tokens"
    return f"{visible(c['model'], 40)}: {len(found.layers)} × {len(found.heads)} heads (layers × heads), {texts}"


def _notes(found):
    """What the columns are, why some numbers are missing, what the nulls destroy, and what holds for all."""
    c = found.conditions
    notes = [
        "median, over heads: median, smallest and largest of the heads' means over texts",
        f"over texts: {c['confidence']:.0%} bootstrap interval of the median" + _no_interval(found),
    ]
    if found.nulls:
        notes.append(
            "effect: median minus the null's median, in the measure's unit; pct: per cent of the null below a head, "
            "median over heads (– : a null of one draw)"
        )
    notes += _units(found)
    undefined = {}
    for name, why in found.reasons.items():
        undefined.setdefault(why, []).append(found.measures[name]["label"])
    notes += [f"undefined: {', '.join(labels)} – {why}" for why, labels in undefined.items()]
    for name, null in found.nulls.items():
        drawn = next(x for (_, n), x in found.draws.items() if n == name)
        count = f"{len(drawn)} draws" if len(drawn) > 1 else "1 draw"
        notes.append(f"null {name} ({count}): destroys {null['destroys']}; keeps {null['keeps']}")
    scores = " (scores above it are counterfactual)" if c["mask"] == "causal" and c["scores"] == "known" else ""
    notes += [
        f"mask {c['mask']}{scores}; positions {visible(c['positions'], 80)}",
        f"precision {c['precision']}; norm folded into the matrices: {c['folded']}; seed {c['seed']}",
    ]
    return [line for note in notes for line in textwrap.wrap(note, WIDTH, subsequent_indent="    ")]


def _units(found):
    """Which measures have a unit; what is counted in nothing needs no line."""
    units = {}
    for name, of in found.measures.items():
        if of["unit"] not in ("share", "none") and np.isfinite(found.values[name]).any():
            units.setdefault(of["unit"], []).append(of["label"])
    parts = [f"{unit} ({', '.join(labels)})" for unit, labels in units.items()]
    return [f"units: {'; '.join(parts)}; else shares or bare numbers"] if parts else []


def _no_interval(found):
    known = [name for name, x in found.values.items() if np.isfinite(x).any()]
    reasons = {found.interval(name)["reason"] for name in known} - {""}
    return f" (– : {'; '.join(sorted(reasons))})" if reasons else ""


def as_html(found):
    """The same table with units, every string escaped."""
    columns = ("measure", "unit", "median", "over heads", "over texts", "null", "effect", "percentile")
    head = "".join(f"<th scope='col'>{html.escape(text)}</th>" for text in columns)
    units = {of["label"]: (of["unit"], of["question"]) for of in found.measures.values()}
    body = []
    for space, name in SPACES.items():
        rows = _rows(found, space, 4)
        if rows:
            body.append(f"<tr><th scope='colgroup' colspan='8'>{html.escape(name)}</th></tr>")
        for label, *cells in rows:
            unit, question = units.get(label, ("", ""))
            cells = "".join(f"<td>{html.escape(cell)}</td>" for cell in (unit, *cells))
            body.append(f"<tr><th scope='row' title='{html.escape(question)}'>{html.escape(label)}</th>{cells}</tr>")
    notes = "<br>".join(html.escape(" ".join(line.split())) for line in _notes(found))
    caption = f"<caption><bdi>{html.escape(_title(found))}</bdi></caption><thead><tr>{head}</tr></thead>"
    foot = f"<tfoot><tr><td colspan='8'>{notes}</td></tr></tfoot>"
    return f"<table class='ag-report'>{caption}<tbody>{''.join(body)}</tbody>{foot}</table>"
