"""First uses lead to the glossary by themselves.

A chapter sets a new term in **bold** where it first names it, and no more: the source stays plain in every
notebook. While the pages are built, the first bold use of each term of the ``{glossary}`` in each chapter becomes a
link to its entry. Bold words that are no terms (a stress, a verb in a list of goals) stay as they are.
"""

from __future__ import annotations

from ag_statements import chapter
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.nodes import make_refnode

PASSED_OVER = (nodes.reference, nodes.title, nodes.caption)


def setup(app):
    app.add_post_transform(LinkFirstUses)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


class LinkFirstUses(SphinxPostTransform):
    default_priority = 15  # after references are resolved

    def run(self):
        if chapter(self.env.docname) is None:
            return
        known = {
            name.lower(): place for (kind, name), place in self.env.get_domain("std").objects.items() if kind == "term"
        }
        for word in list(self.document.findall(nodes.strong)):
            name = entry(word.astext(), known)
            if name and not word["classes"] and not passed_over(word):
                page, anchor = known.pop(name)
                link = make_refnode(self.app.builder, self.env.docname, page, anchor, word.deepcopy())
                link["classes"].append("ag-term")
                word.replace_self(link)


def entry(text: str, known) -> str | None:
    """The term of the glossary that these words name: as they are, or without the ending of a plural."""
    text = " ".join(text.lower().split())
    return next((form for form in (text, text.removesuffix("s"), text.removesuffix("es")) if form in known), None)


def passed_over(node) -> bool:
    """Whether a bold word stands where it names nothing: in a heading, a caption, a link, a list of goals."""
    while node := node.parent:
        if isinstance(node, PASSED_OVER) or "goals" in getattr(node, "attributes", {}).get("classes", ()):
            return True
    return False
