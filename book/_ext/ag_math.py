"""Mathematics typeset while the book is built: KaTeX, run inside QuickJS, without Node.

A page carries finished HTML and MathML, so a reader needs no script. A formula that KaTeX
refuses becomes a Sphinx warning with file and line, and `-W` fails the build.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

log = logging.getLogger(__name__)

STACK = 4 * 2**20  # bytes; the default overflows near 60 nested groups, this holds 100
# The answer crosses as JSON text: a long string returned as such raises inside quickjs-ng.
RENDER = r"""
function render(tex, display) {
  try {
    const options = {displayMode: display, throwOnError: true, strict: "ignore", output: "htmlAndMathml"};
    return JSON.stringify([true, katex.renderToString(tex, options)]);
  } catch (error) {
    return JSON.stringify([false, String(error.message)]);
  }
}
"""
CLOSING = re.compile(r"[,.;:!?)\]”’]+")
SHORT = 40  # characters of TeX; longer formulas may be broken inside, and keep no comma
NUMBERED = re.compile(r"\\(begin|end)\{(align|alignat|gather|equation)\}")


def setup(app):
    app.add_html_math_renderer("katex", inline_renderers=(visit_inline, None), block_renderers=(visit_block, None))
    app.add_post_transform(KeepPunctuation)
    app.add_config_value("katex_js", ".cache/assets/katex.min.js", "html")
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


class KeepPunctuation(SphinxPostTransform):
    """Hand the comma after an inline formula to the formula: a browser may break a line between the two."""

    default_priority = 900

    def run(self):
        for formula in self.document.findall(nodes.math):
            place = formula.parent.index(formula) + 1
            text = formula.parent[place] if place < len(formula.parent) else None
            if isinstance(text, nodes.Text) and (found := CLOSING.match(text)) and len(formula.astext()) < SHORT:
                formula["after"] = found[0]
                formula.parent[place] = nodes.Text(text[found.end() :])


def visit_inline(self, node):
    formula = self.starttag(node, "span", "", CLASS="math notranslate nohighlight")
    formula += typeset(self, node, display=False) + "</span>"
    after = node.get("after")
    self.body.append(f'<span class="ag-whole">{formula}{after}</span>' if after else formula)
    raise nodes.SkipNode


def visit_block(self, node):
    self.body.append(self.starttag(node, "div", "", CLASS="math ag-equation notranslate nohighlight"))
    self.body.append(f'<div class="ag-math-scroll">{typeset(self, node, display=True)}</div>')
    if node["number"]:
        self.body.append(f'<span class="eqno">({get_node_equation_number(self, node)})')
        self.add_permalink_ref(node, "Link to this equation")
        self.body.append("</span>")
    self.body.append("</div>\n")
    raise nodes.SkipNode


def typeset(translator, node, *, display: bool) -> str:
    """The HTML of one formula; where KaTeX refuses it, a warning and the escaped source."""
    source = Path(translator.builder.app.confdir, translator.config.katex_js)
    good, answer = render(source, prepare(node.astext(), display=display), display)
    if good:
        return answer
    log.warning("KaTeX: %s", answer, location=node, type="ag", subtype="math")
    return translator.encode(node.astext())


def prepare(tex: str, *, display: bool) -> str:
    """Leave the numbering to Sphinx (starred environments) and align bare lines, as Sphinx does."""
    if not display:
        return tex
    tex = NUMBERED.sub(r"\\\1{\2*}", tex)
    if r"\\" in tex and r"\begin{" not in tex:
        tex = rf"\begin{{split}}{tex}\end{{split}}"
    return tex


@cache
def render(source: Path, tex: str, display: bool) -> tuple[bool, str]:
    return tuple(json.loads(engine(source)(tex, display)))


@cache
def engine(source: Path):
    import quickjs

    context = quickjs.Context()
    context.set_max_stack_size(STACK)
    context.eval(source.read_text(encoding="utf-8") + ";0")
    context.eval(RENDER)
    return context.get("render")
