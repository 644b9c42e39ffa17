"""Numbered statement boxes: each of a stated kind, under stated conditions, guarded by something that can fail.

    :::{statement} Every row of A is a probability
    :label: L3.rows
    :kind: proved
    :conditions: every query may attend to at least one key

    Text with mathematics.
    :::

The role ``{stmt}`` with that label refers to it from any page; the directive ``{ledger}`` lists them all.
What guards a statement depends on its kind:

==================  ==========================================================================
proved, measured    a test marked ``@pytest.mark.guards("L3.rows")``; found, not written down
definition          the object it defines: ``:guard: attention.softmax``
cited               the bibliography key and the place: ``:guard: vaswani2017, section 3.2.1``
interpretation      the statements it rests on: ``:guard: L1.2, L3.rows``
==================  ==========================================================================

A statement without its guard, a mark without its statement, a missing condition, an unknown kind or
a label used twice is a warning, and ``-W`` fails the build.
"""

from __future__ import annotations

import ast
import pkgutil
import re
from collections import Counter
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.domains import Domain, ObjType
from sphinx.roles import XRefRole
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_id, make_refnode

log = logging.getLogger(__name__)

KINDS = {  # kind: (in words, what its guard is called)
    "definition": ("definition", "Defined by"),
    "proved": ("proved here", "Guarded by"),
    "cited": ("cited", "Source"),
    "measured": ("measured", "Guarded by"),
    "interpretation": ("interpretation", "Rests on"),
}
TESTED = ("proved", "measured")
PACKAGE = "attention_geometry"


def setup(app):
    app.add_config_value("statements_tests", "tests", "env")
    app.add_domain(StatementDomain)
    app.add_node(statement, html=(open_box, close_box), latex=(ignore, ignore), text=(ignore, ignore))
    app.add_node(guard_name, html=(write_name, ignore))
    app.add_directive("statement", StatementDirective)
    app.add_directive("ledger", LedgerDirective)
    app.add_role("stmt", StatementRole(warn_dangling=True))
    app.add_post_transform(LedgerTransform)
    app.connect("builder-inited", read_marks)
    app.connect("html-page-context", add_filter)
    app.connect("env-check-consistency", check_guards)
    app.connect("env-check-consistency", number_by_chapter)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def warn(place, text: str) -> None:
    log.warning("%s", text, location=place, type="ag", subtype="statement")


def chapter(docname: str) -> int | str | None:
    """The number of a chapter, from its file name: 3 for ``book/03_the_mixture``; for ``A_masks`` the letter."""
    found = re.match(r"(\d+|[A-Z])_", docname.rpartition("/")[2])
    return found and (int(found[1]) if found[1].isdigit() else found[1])


def order(number: str) -> tuple:
    """Where statement 3.10 or A.2 stands in the ledger: appendices after chapters."""
    first, _, second = number.partition(".")
    return first.isalpha(), int(first) if first.isdigit() else first, int(second)


# ------------------------------------------------------------------ boxes


class statement(nodes.General, nodes.Element):
    """A statement box: heading, conditions, body, guard."""


class guard_name(nodes.literal):
    """The name of a test or of an object: a literal that may break after its parts, never inside a word."""


class StatementDirective(SphinxDirective):
    has_content = True
    required_arguments = 1
    final_argument_whitespace = True
    option_spec = dict.fromkeys(("label", "kind", "conditions", "guard"), directives.unchanged)

    def run(self):
        label, kind, conditions, guard = (self.options.get(name, "").strip() for name in self.option_spec)
        place = (self.env.docname, self.lineno)
        self.check(place, label, kind, conditions, guard)
        known = self.env.get_domain("ag").statements
        if label in known:
            warn(place, f"the label {label} is used twice, here and in {known[label]['doc']}")
        number = 1 + sum(entry["doc"] == self.env.docname for entry in known.values())
        entry = {
            "doc": self.env.docname, "place": place, "kind": kind if kind in KINDS else "interpretation",
            "anchor": make_id(self.env, self.state.document, "statement", label or None),
            "number": f"{chapter(self.env.docname) or 0}.{number}",
            "title": self.inline(self.arguments[0]), "conditions": self.inline(conditions),
            "guard": self.guard(label, kind, guard), "source": guard,
        }  # fmt: skip
        known[label] = entry

        box = statement(ids=[entry["anchor"]], kind=entry["kind"])
        self.set_source_info(box)
        box += heading(entry)
        box += field("Conditions", entry["conditions"], "ag-statement-conditions")
        self.state.nested_parse(self.content, self.content_offset, box)
        box += field(KINDS[entry["kind"]][1], entry["guard"], "ag-statement-guard")
        return [box]

    def check(self, place, label, kind, conditions, guard):
        """What the box itself must say; what it points to is checked once every page is read."""
        if chapter(self.env.docname) is None:
            warn(place, "a statement stands in a chapter, and this file name opens with no number")
        if kind not in KINDS:
            warn(place, f"the kind of statement {label!r} is {kind!r}, not one of {', '.join(KINDS)}")
        for name, value in (("label", label), ("conditions", conditions)):
            if not value:
                warn(place, f"statement {label!r} has no {name} (write 'none' for no condition)")
        if kind in TESTED and guard:
            warn(place, f"statement {label!r} is {kind}: its guard is found by the mark of its test, not written")
        if kind in KINDS and kind not in TESTED and not guard:
            warn(place, f"statement {label!r} is of kind {kind} and has no guard")
        if kind == "cited" and guard and not guard.partition(",")[2].strip():
            warn(place, f"statement {label!r} is cited: say where in the source, as in 'key, section 2'")

    def guard(self, label, kind, guard):
        if kind == "cited":
            key, comma, where = guard.partition(",")
            return self.inline(f"{{cite:t}}`{key.strip()}`{comma}{where}")
        if kind == "interpretation":
            return self.inline(", ".join(f"{{stmt}}`{name.strip()}`" for name in guard.split(",") if name.strip()))
        names = [test for test, _ in self.env.ag_marks.get(label, [])] if kind in TESTED else [guard]
        return [part for name in names for part in (nodes.Text(", "), guard_name(name, name))][1:]

    def inline(self, text):
        return self.parse_inline(text)[0]


def heading(entry, *, link=None):
    number = f"Statement {entry['number']}"
    head = nodes.paragraph(classes=["ag-statement-head"])
    head += link or nodes.inline(number, number, classes=["ag-statement-number"])
    kind = KINDS[entry["kind"]][0]
    head += nodes.inline(kind, kind, classes=["ag-statement-kind", f"ag-{entry['kind']}"])
    head.insert(1, nodes.Text(" "))
    head += nodes.Text(" ")
    head += nodes.strong("", "", *copies(entry["title"]), classes=["ag-statement-title"])
    return head


def field(name, content, css):
    """A line such as "Conditions: every query may attend to at least one key"."""
    return nodes.paragraph("", "", nodes.inline(name, name, classes=["ag-statement-field"]), nodes.Text(" "),
                           *copies(content), classes=[css])  # fmt: skip


def copies(content):
    return [node.deepcopy() for node in content]


def open_box(self, node):
    self.body.append(self.starttag(node, "div", CLASS=f"ag-statement ag-{node['kind']}"))
    self.add_permalink_ref(node, "Link to this statement")


def close_box(self, node):
    self.body.append("</div>\n")


def write_name(self, node):
    text = re.sub(r"(::|[._])(?=[^._:])", r"\1<wbr>", self.encode(node.astext()))
    self.body.append(self.starttag(node, "code", "", CLASS="docutils literal notranslate"))
    self.body.append(f'<span class="pre">{text}</span></code>')
    raise nodes.SkipNode


def ignore(self, node):
    """Other builders show the content of a box as plain paragraphs."""


# ------------------------------------------------------------- references


class StatementDomain(Domain):
    name = "ag"
    label = "Statements"
    object_types = {"stmt": ObjType("statement", "stmt")}
    initial_data = {"statements": {}}
    dangling_warnings = {"stmt": "no statement is labelled %(target)s"}

    @property
    def statements(self):
        return self.data["statements"]

    def clear_doc(self, docname):
        for label in [label for label, entry in self.statements.items() if entry["doc"] == docname]:
            del self.statements[label]

    def merge_domaindata(self, docnames, otherdata):
        self.statements.update({k: e for k, e in otherdata["statements"].items() if e["doc"] in docnames})

    def resolve_xref(self, env, fromdocname, builder, typ, target, node, contnode):
        if target not in self.statements:
            return None
        entry = self.statements[target]
        if not node["refexplicit"]:
            contnode = nodes.inline("", f"Statement {entry['number']}")
        return make_refnode(builder, fromdocname, entry["doc"], entry["anchor"], contnode)

    def resolve_any_xref(self, *_):
        return []

    def get_type_name(self, type, primary=False):
        return "statement"

    def get_objects(self):
        for label, entry in self.statements.items():
            title = "".join(node.astext() for node in entry["title"])
            yield label, title, "stmt", entry["doc"], entry["anchor"], 1


class StatementRole(XRefRole):
    def run(self):
        self.name = "ag:stmt"
        return super().run()


# ----------------------------------------------------------------- guards


def read_marks(app):
    """Where each ``guards`` mark stands: label → [(test, (file, line))]. Tests are read, never imported."""
    app.env.ag_marks = {}
    for path in sorted(Path(app.confdir, app.config.statements_tests).rglob("test_*.py")):
        for test in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(test, ast.FunctionDef | ast.ClassDef) and test.name.startswith(("test", "Test")):
                for label in marked(test):
                    name = f"{path.relative_to(app.confdir).as_posix()}::{test.name}"
                    app.env.ag_marks.setdefault(label, []).append((name, f"{path}:{test.lineno}"))


def marked(test):
    """The labels a test guards; a test that is always skipped, or expected to fail, guards nothing."""
    marks = [part for decorator in test.decorator_list for part in ast.walk(decorator)]
    if any(isinstance(part, ast.Attribute) and part.attr in ("skip", "xfail") for part in marks):
        return []
    calls = [part for part in marks if isinstance(part, ast.Call) and getattr(part.func, "attr", "") == "guards"]
    return [argument.value for call in calls for argument in call.args if isinstance(argument, ast.Constant)]


def check_guards(app, env):
    """Both directions: each statement has its guard, each mark has its statement."""
    known = env.get_domain("ag").statements
    for label, entry in known.items():
        if entry["kind"] in TESTED and label not in env.ag_marks:
            warn(entry["place"], f'no test is marked @pytest.mark.guards("{label}")')
        if entry["kind"] == "definition" and entry["source"]:
            try:
                pkgutil.resolve_name(f"{PACKAGE}.{entry['source'].removeprefix(PACKAGE + '.')}")
            except (ImportError, AttributeError, ValueError) as error:
                warn(entry["place"], f"statement {label} is to define {entry['source']}: {error}")
    for label in env.ag_marks.keys() - known.keys():
        for test, place in env.ag_marks[label]:
            tested = f"{test} guards {label}"
            warn(place, f"{tested}, and no page has a statement with that label")
    for label in env.ag_marks.keys() & known.keys():
        if known[label]["kind"] not in TESTED:
            warn(known[label]["place"], f"statement {label} is of kind {known[label]['kind']}, yet a test guards it")


def number_by_chapter(app, env):
    """Figures, tables and equations of chapter 3 are 3.1, 3.2, …, whichever chapters the book has."""
    for docname, kinds in env.toc_fignumbers.items():
        for numbers in kinds.values():
            for place, label in enumerate(numbers, 1):
                numbers[label] = (place,) if chapter(docname) is None else (chapter(docname), place)


# ----------------------------------------------------------------- ledger


class ledger(nodes.General, nodes.Element):
    """Stands for the list of all statements until every page has been read."""


class LedgerDirective(SphinxDirective):
    def run(self):
        return [ledger()]


def add_filter(app, pagename, templatename, context, doctree):
    if "ag-ledger" in context.get("body", ""):
        app.add_js_file("ag-ledger.js", loading_method="defer")


def count(number: int, words: str) -> str:
    return f"{number} {words}{'s' if number > 1 and words.endswith('tion') else ''}"


class LedgerTransform(SphinxPostTransform):
    default_priority = 5  # before references are resolved: the ledger's own are resolved with the rest

    def run(self):
        for node in list(self.document.findall(ledger)):
            known = self.env.get_domain("ag").statements.values()
            entries = sorted(known, key=lambda entry: order(entry["number"]))
            counts = Counter(entry["kind"] for entry in entries)
            told = ", ".join(count(counts[kind], words) for kind, (words, _) in KINDS.items() if counts[kind])
            rows = nodes.bullet_list("", *map(self.row, entries), classes=["ag-ledger"])
            node.replace_self([nodes.paragraph("", f"{len(entries)} statements: {told}."), rows])

    def row(self, entry):
        text = nodes.inline("", f"Statement {entry['number']}")
        link = make_refnode(self.app.builder, self.env.docname, entry["doc"], entry["anchor"], text)
        row = nodes.list_item("", heading(entry, link=link), classes=[f"ag-{entry['kind']}"])
        row += field("Conditions", entry["conditions"], "ag-statement-conditions")
        row += field(KINDS[entry["kind"]][1], entry["guard"], "ag-statement-guard")
        for reference in row.findall(lambda part: "refdoc" in getattr(part, "attributes", {})):
            reference["refdoc"] = self.env.docname
        return row
