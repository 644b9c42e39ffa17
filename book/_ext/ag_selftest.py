"""Self-tests: a few questions at the end of a chapter, checked in the page, without a server.

    :::{selftest} 01
    Four questions to check yourself with stand here on the built page.
    :::

renders ``book/selftest/01.toml``; what stands inside the directive is for hosts that show the source::

    [[question]]
    ask = "Which of these …?"

    [[question.option]]
    text = "The second."
    reason = "This would need …"      # every option has one: why it is wrong, or why it is right

    [[question.option]]
    text = "The first."
    right = true
    reason = "Yes: …"

Questions and options may hold mathematics. Reasons may hold references (``{stmt}``) and no formulas: they stay
out of the page's text until asked for, where the fonts are not cut to their letters. They are not secret, only
out of sight: encoded byte by byte with a key that differs for each option. A faulty file is a warning that names
the file and the question, and ``-W`` fails the build.
"""

from __future__ import annotations

import base64
import tomllib
from pathlib import Path

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

log = logging.getLogger(__name__)

FOLDER = "selftest"  # beside the page
NEEDS_SCRIPT = "Checking an answer needs JavaScript, which did not run here."  # the script takes it away


def setup(app):
    app.add_directive("selftest", SelftestDirective)
    app.add_node(selftest, html=(open_test, close_test), latex=(skip, None), text=(skip, None))
    app.add_node(question, html=(open_question, close_question))
    app.add_node(ask, html=(open_ask, close_ask))
    app.add_node(choice, html=(open_choice, close_choice))
    app.add_node(reason, html=(open_reason, close_reason))
    app.connect("html-page-context", add_script)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


class selftest(nodes.General, nodes.Element):
    """The questions of one chapter."""


class question(nodes.General, nodes.Element):
    """A group of options under what is asked."""


class ask(nodes.General, nodes.TextElement):
    """What is asked."""


class choice(nodes.General, nodes.TextElement):
    """One answer to choose, its text first and its reason last."""


class reason(nodes.comment):
    """Why an option is right or wrong. A comment to the search index, which would give its words away."""


class SelftestDirective(SphinxDirective):
    has_content = True
    required_arguments = 1

    def run(self):
        path = Path(self.env.doc2path(self.env.docname)).parent / FOLDER / f"{self.arguments[0]}.toml"
        self.env.note_dependency(str(path))
        try:
            found = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, tomllib.TOMLDecodeError) as error:
            return self.refuse(f"self-test {path.name}: {getattr(error, 'strerror', None) or error}")
        if wrong := faults(found):
            return [node for fault in wrong for node in self.refuse(f"self-test {path.name}: {fault}")]
        test = selftest()
        for place, item in enumerate(found["question"]):
            group = question(name=f"ag-{path.stem}-{place + 1}")
            group += ask("", f"Question {place + 1} of {len(found['question'])}. ", *self.inline(item["ask"]))
            group += [self.choice(each, place, number) for number, each in enumerate(item["option"])]
            test += group
        return [test]

    def choice(self, item, place, number):
        why = reason("", "", *self.inline(item["reason"]), right=item.get("right", False), key=key(place, number))
        return choice("", "", *self.inline(item["text"]), why, number=number)

    def inline(self, text):
        return self.parse_inline(" ".join(text.split()))[0]

    def refuse(self, fault):
        log.warning("%s", fault, location=(self.env.docname, self.lineno), type="ag", subtype="selftest")
        return []


def faults(found: dict) -> list[str]:
    """What is wrong with the questions of a file, each fault with its place."""
    questions = found.get("question", [])
    wrong = [] if 3 <= len(questions) <= 5 else [f"{len(questions)} questions, not 3 to 5"]
    for place, item in enumerate(questions, 1):
        options = item.get("option", [])
        right = sum(each.get("right") is True for each in options)
        known = {"text", "right", "reason"}
        checks = {
            "asks nothing": str(item.get("ask", "")).strip(),
            f"has {len(options)} options, not 3 or 4": len(options) in (3, 4),
            f"has {right} right answers, not one": right == 1,
            "has an option without a text": all(str(each.get("text", "")).strip() for each in options),
            "has an option without a reason": all(str(each.get("reason", "")).strip() for each in options),
            "has a formula in a reason (write Unicode)": all("$" not in str(each.get("reason")) for each in options),
            "has an option with an unknown entry": all(set(each) <= known for each in options),
        }  # fmt: skip
        wrong += [f"question {place} {fault}" for fault, good in checks.items() if not good]
    return wrong


def key(place: int, number: int) -> int:
    """Where the key of an option starts; the same arithmetic stands in ag-selftest.js."""
    return (91 * place + 29 * number + 7) % 256


def encode(text: str, start: int) -> str:
    data = bytearray(text.encode())
    for i, byte in enumerate(data):
        start = (73 * start + 41) % 256
        data[i] = byte ^ start
    return base64.b64encode(data).decode()


# -------------------------------------------------------------- in the page


def add_script(app, pagename, templatename, context, doctree):
    if 'class="ag-selftest"' in context.get("body", ""):
        app.add_js_file("ag-selftest.js", loading_method="defer")


def open_test(self, node):
    self.body.append('<div class="ag-selftest">\n')


def close_test(self, node):
    self.body.append(f'<p class="ag-needs-script">{NEEDS_SCRIPT}</p>\n</div>\n')


def open_question(self, node):
    self.body.append('<fieldset class="ag-question">\n')


def close_question(self, node):
    self.body.append('<div class="ag-reply" role="status"></div>\n</fieldset>\n')


def open_ask(self, node):
    self.body.append("<legend>")


def close_ask(self, node):
    self.body.append("</legend>\n")


def open_choice(self, node):
    self.body.append(f'<label><input type="radio" name="{node.parent["name"]}" value="{node["number"]}"> <span>')


def close_choice(self, node):
    self.body.append("</span></label>\n")


def open_reason(self, node):
    node["start"] = len(self.body)


def close_reason(self, node):
    """Take back what the reason wrote into the page, and leave it there encoded."""
    html = "".join(self.body[node["start"] :])
    del self.body[node["start"] :]
    self.body.append(f'</span><span hidden data-ag-why="{encode("01"[node["right"]] + html, node["key"])}">')


def skip(self, node):
    raise nodes.SkipNode
