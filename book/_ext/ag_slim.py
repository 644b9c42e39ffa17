"""Light pages: one pass over the finished HTML removes what no reader of the book needs.

The theme's icon script, the search index on pages that do not search, style rules and glyphs that
never occur. Every step counts what it did; a step that finds nothing to do, or a page over its
budget, fails the build, so that a change of the theme shows as an error and not as a slow page.
"""

from __future__ import annotations

import gzip
import re
import struct
import zlib
from collections import Counter
from html import escape
from html.parser import HTMLParser
from os.path import relpath
from pathlib import Path
from posixpath import dirname, join, normpath

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.util import logging

log = logging.getLogger(__name__)

BUDGET = 200_000  # bytes of one page with its styles and scripts, compressed; pictures and fonts aside
LONG = 80  # formulas; a page with more is laid out as the reader comes to it (see ag-long in ag-book.css)
STYLE = "_static/ag-light.css"
ICON = (  # a query, a key, a value
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E"
    "%3Ccircle cx='4' cy='4' r='3.4' fill='%230072B2'/%3E%3Cpath d='M9 1h6v6H9z' fill='%23D55E00'/%3E"
    "%3Cpath d='M8 8.6l4 6.4H4z' fill='%23009E73'/%3E%3C/svg%3E"
)
SCRIPT = r'<script[^>]*src="[^"]*(?:{})[^"]*"[^>]*></script>\s*'
TWIG = '<summary aria-label="Pages below this one">'  # the theme's arrow in the side bar has no name
STYLESHEET = re.compile(r'\s*<link(?=[^>]*rel="stylesheet")[^>]*href="([^"?]+)[^>]*>')
THEME = re.compile(r"document\.documentElement\.dataset\.mode = .*?\n.*?dataset\.theme = [^\n]*")
# The theme is known before the first paint, so that a dark page never flashes white, and the fonts of the first screen
# are asked for before the style sheet is read (not from disk, where a browser refuses that, aloud). A page that came
# from a server says so: some of its buttons need one.
EARLY = (
    'let mode = "auto"; try { mode = localStorage.getItem("mode") || mode } catch (_) {}'
    ' const dark = mode === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : mode === "dark";'
    ' const served = location.protocol !== "file:";'
    ' const theme = dark ? "dark" : "light"; Object.assign(document.documentElement.dataset, { mode, theme });'
    ' if (served) document.documentElement.dataset.served = "";'
    ' if (served) for (const font of FONTS) document.head.append(Object.assign('
    'document.createElement("link"), { rel: "preload", as: "font", crossOrigin: "", href: font }));'
)
TEXT_FONTS = ["fonts/literata-latin-400-normal.woff2", "fonts/literata-latin-600-normal.woff2"]
FORMULA_FONTS = ["katex/fonts/KaTeX_Main-Regular.woff2", "katex/fonts/KaTeX_Math-Italic.woff2"]


# Steps that must find something on every site; the others depend on what the pages hold.
STEPS = [
    *("icon script", "menu script", "preload", "search scripts", "settings inline", "deferred scripts"),
    *("early theme", "theme without script", "icon", "style sheets", "unused rules", "excerpts", "tab stops"),
    *("glyphs in vendor/fontawesome/webfonts", "glyphs in katex/fonts", "glyphs in fonts"),
]
AT_RUN_TIME = {"dark", "light", "auto", "hover", "show", "collapsing", "fade", "highlighted"}  # set by scripts


def setup(app):
    app.connect("builder-inited", start_anew)
    app.connect("env-get-outdated", lambda app, env, *_: env.found_docs)  # slimmed pages cannot be slimmed twice
    app.connect("html-page-context", describe)
    app.connect("build-finished", slim, priority=900)  # after every extension that copies files
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def start_anew(app):
    """Remove the pages of an earlier build: those of a chapter that is gone would stay for ever."""
    if app.builder.name == "html":
        for page in Path(app.outdir).rglob("*.html"):
            page.unlink()


def describe(app, pagename, templatename, context, doctree):
    """Give each page a description: its first paragraph."""
    found = next(doctree.findall(nodes.paragraph), None) if doctree is not None else None
    text = f"{context.get('title', '')}: {app.config.html_title}" if found is None else " ".join(found.astext().split())
    if len(text) > 160:
        text = text[:157].rsplit(" ", 1)[0] + " …"
    tags = context.get("metatags", "")
    if 'name="description"' not in tags:
        context["metatags"] = f'{tags}\n<meta name="description" content="{escape(text)}" />'


def slim(app, error):
    if error is None and app.builder.name == "html":
        site = Path(app.outdir)
        open_at(site, app.config.root_doc)
        Slim(site).run()


def open_at(site: Path, root: str) -> None:
    """The address of the folder itself leads to the book's first page."""
    if root != "index":
        page = f"""<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Attention as a learned geometry</title>
<meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="0; url={root}.html">
<link rel="icon" href="{ICON}"></head>
<body><p><a href="{root}.html">Open the book</a></p></body>
</html>
"""
        (site / "index.html").write_text(page, encoding="utf-8")


class Slim:
    """The pages of one site, what was done to them, and what they weigh."""

    def __init__(self, site: Path):
        self.site = site
        self.done = Counter()
        paths = sorted(set(site.rglob("*.html")) - set(site.joinpath("_static").rglob("*")) - {site / "index.html"})
        self.pages = {path.relative_to(site).as_posix(): path.read_text(encoding="utf-8") for path in paths}
        if any("ag-light.css" in html for html in self.pages.values()):
            raise ExtensionError(f"ag_slim: pages in {site} are slimmed already; is another build writing there?")
        settings = (site / "_static" / "documentation_options.js").read_text(encoding="utf-8")
        self.settings = f"<script>{settings}</script>\n".replace("\\", r"\\")

    def run(self) -> None:
        self.pages = {name: self.page(name, html) for name, html in self.pages.items()}
        self.excerpts()
        self.stops()
        self.bundle()
        self.fonts()
        for name, html in self.pages.items():
            (self.site / name).write_text(html, encoding="utf-8")
        missed = [step for step in STEPS if not self.done[step]]
        if missed:
            raise ExtensionError(f"ag_slim found nothing to do for: {', '.join(missed)}; has the theme changed?")
        self.weigh()

    # -- scripts and head

    def page(self, name: str, html: str) -> str:
        html = self.drop("icon script", r"scripts/fontawesome\.js", html)
        html = self.drop("menu script", r"scripts/bootstrap\.js", html)  # ag-page.js opens the one menu there is
        html = self.replace("preload", r'<link rel="preload" as="script"[^>]*>\s*', "", html)
        if name != "search.html":
            html = self.drop("search scripts", r"searchtools\.js|language_data\.js|searchindex\.js", html)
        if 'class="highlight' not in html:
            html = self.drop("copy scripts", r"clipboard\.min\.js|copybutton\.js", html)
        if not re.search(r'class="(?:[^"]* )?(?:toggle|admonition [^"]*dropdown)[ "]', html):
            html = self.drop("toggle scripts", r"_static/togglebutton\.js", html)
            html = self.replace("toggle settings", r"<script>(?:let toggle|var toggle)[^<]*</script>\s*", "", html)
        if "sd-tab-" not in html:
            html = self.drop("tab scripts", r"design-tabs\.js", html)
        html = self.replace("settings inline", SCRIPT.format("documentation_options"), self.settings, html)
        if name != "search.html":  # there an inline script needs the others to have run
            html = self.replace("deferred scripts", r"<script (?=src=)(?!.*defer)", "<script defer ", html)
        # a fold is named by its own text
        html = self.replace("fold names", r'(<summary) aria-label="Toggle hidden content"', r"\1", html)
        html = self.replace("branch names", r'<summary>(?=<span class="toctree-toggle")', TWIG, html)
        html = self.replace("entry roles", r'(class="citation".*?) role="doc-biblioentry"', r'\1 role="listitem"', html)
        if html.count('class="katex"') > LONG:
            html = self.replace("long pages", r'<article class="bd-article', r"\g<0> ag-long", html)
        html = self.replace("picture sizes", r"<img [^>]*>", lambda tag: self.size(name, tag), html)
        fonts = [*TEXT_FONTS, *(FORMULA_FONTS if "katex-html" in html else [])]
        early = EARLY.replace("FONTS", str([relpath(f"_static/{font}", dirname(name) or ".") for font in fonts]))
        html = self.replace("early theme", THEME, lambda _: early, html)
        html = self.replace("theme without script", r'(<html [^>]*data-theme=)"auto"', r'\1"light"', html)
        return self.replace("icon", r"</head>", f'<link rel="icon" href="{ICON}" />\n</head>', html)

    def drop(self, step, source, html):
        return self.replace(step, SCRIPT.format(source), "", html)

    def replace(self, step, pattern, replacement, html):
        html, count = re.subn(pattern, replacement, html)
        self.done[step] += count
        return html

    def excerpts(self) -> None:
        """A search result quotes the article, not the buttons above it, and a formula once."""
        path = self.site / "_static" / "searchtools.js"
        script = self.replace("excerpts", r'\[role="main"\]', "article", path.read_text(encoding="utf-8"))
        script = self.replace("excerpts", r'"script", "style"', r'\g<0>, ".katex-mathml"', script)
        script = self.replace("excerpts", r"(?<=Content\.textContent);", r'.replace(/\\s+/g, " ");', script)
        path.write_text(script, encoding="utf-8")

    def stops(self) -> None:
        """What scrolls gets its tab stop from ag-page.js: the theme lays out all of a chapter for it, each time."""
        path = self.site / "_static" / "scripts" / "pydata-sphinx-theme.js"
        boxes = r'document\.querySelectorAll\(\["pre",[^]]*\]\.join\(", "\)\)\.forEach\(\w=>\{\w\.tabIndex=[^}]*\}\)'
        script = self.replace("tab stops", boxes, "void 0", path.read_text(encoding="utf-8"))
        path.write_text(script, encoding="utf-8")

    # -- pictures

    def size(self, name: str, tag: re.Match) -> str:
        """A picture with its measures, so that the text below it does not jump when it arrives."""
        source = re.search(r'src="([^"?]+)', tag[0])[1]
        path = self.site / place(name, source)
        if " width=" in tag[0] or not (found := measures(path)):
            return tag[0]
        return tag[0].replace("<img ", f'<img width="{found[0]:.0f}" height="{found[1]:.0f}" ')

    # -- styles

    def bundle(self) -> None:
        """One style sheet for the whole site, holding the rules whose classes and names occur somewhere."""
        links = [[place(name, link) for link in STYLESHEET.findall(html)] for name, html in self.pages.items()]
        order = dict.fromkeys(path for paths in sorted(links, key=len, reverse=True) for path in paths)
        everything = "".join(self.style(path) for path in order)
        self.css = purge(everything, self.words())
        self.done["unused rules"] += len(everything) - len(self.css)
        (self.site / STYLE).write_text(self.css, encoding="utf-8")
        version = f"{zlib.crc32(self.css.encode()):08x}"
        for name, html in self.pages.items():
            first = STYLESHEET.search(html).start()
            link = f'\n    <link rel="stylesheet" href="{relpath(STYLE, dirname(name) or ".")}?v={version}" />'
            self.pages[name] = html[:first] + link + self.replace("style sheets", STYLESHEET, "", html[first:])

    def words(self) -> set[str]:
        """Every class and name in the pages, and every word of the scripts they load, which may set one."""
        attributes = re.findall(r'\s(?:class|id)="([^"]*)"', "".join(self.pages.values()))
        scripts = {source for name in self.pages for source in self.sources(name)}
        code = "".join((self.site / source).read_text(encoding="utf-8") for source in scripts)
        return AT_RUN_TIME | set(" ".join(attributes).split()) | set(re.findall(r"[A-Za-z_][\w-]*", code))

    def sources(self, name: str) -> set[str]:
        """The script files a page loads."""
        return {place(name, source) for source in re.findall(r'<script[^>]*src="([^"?]+)', self.pages[name])}

    def style(self, path: str) -> str:
        """A style sheet with its imports inside it and its addresses as seen from the bundle."""
        css = (self.site / path).read_text(encoding="utf-8")
        old_format = r',\s*url\([^)]*\.ttf\)\s*format\("truetype"\)'
        css = re.sub(rf"@charset[^;]*;|/\*# sourceMappingURL.*?\*/|{old_format}", "", css)
        css = re.sub(r'@import\s+"([^"]+)";', lambda found: self.style(place(path, found[1])), css)
        address = r"url\([\"']?(?!data:|#)([^)\"']+)[\"']?\)"
        return re.sub(address, lambda found: f"url({relpath(place(path, found[1]), dirname(STYLE))})", css)

    # -- fonts

    def fonts(self) -> None:
        """Cut each font to the glyphs that occur: icons by the style rules, mathematics and text by the pages."""
        text, formulas = set(map(chr, range(32, 127))), set(" ")
        for html in self.pages.values():
            reader = Glyphs(html)
            text |= reader.text
            formulas |= reader.formulas
        icons = {chr(int(code, 16)) for code in re.findall(r"\\([0-9a-f]{4,5})\b", self.css)}
        icons |= set(re.findall(r"[^\x00-\x7f]", self.css))
        static = self.site / "_static"
        for folder, glyphs in (("vendor/fontawesome/webfonts", icons), ("katex/fonts", formulas), ("fonts", text)):
            for path in sorted(static.joinpath(folder).glob("*.woff2")):
                before = path.stat().st_size
                subset(path, glyphs)
                self.done[f"glyphs in {folder}"] += before - path.stat().st_size

    # -- weight

    def weigh(self) -> None:
        """Refuse a page over the budget; say what the heaviest weighs."""
        styles = packed(self.site / STYLE)
        weights = {}
        for name in self.pages:
            scripts = sum(packed(self.site / source) for source in self.sources(name))
            weights[name] = packed(self.site / name) + styles + scripts
        name = max(weights, key=weights.get)
        log.info("light pages: %s is the heaviest, %d KB of text, styles and scripts", name, weights[name] / 1000)
        if weights[name] > BUDGET:
            raise ExtensionError(f"ag_slim: {name} weighs {weights[name]} bytes compressed, the budget is {BUDGET}")


def place(page: str, link: str) -> str:
    """What a link on a page, or in a style sheet, points to, as a path inside the site."""
    return normpath(join(dirname(page), link))


def measures(path: Path) -> tuple[float, float] | None:
    """Width and height of a PNG or of matplotlib's SVG, in CSS pixels."""
    if path.suffix == ".png":
        return struct.unpack(">II", path.read_bytes()[16:24])
    opening = re.search(r"<svg[^>]*>", path.read_text(encoding="utf-8")) if path.suffix == ".svg" else None
    points = dict(re.findall(r'\b(width|height)="([\d.]+)pt"', opening[0])) if opening else {}
    return (float(points["width"]) * 4 / 3, float(points["height"]) * 4 / 3) if len(points) == 2 else None


def packed(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 6))


class Glyphs(HTMLParser):
    """The characters of a page, those inside formulas apart."""

    def __init__(self, html: str):
        super().__init__()
        self.text, self.formulas = set(), set()
        self.open = []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        if tag == "span":
            self.open.append("katex-html" in (dict(attributes).get("class") or "").split())

    def handle_endtag(self, tag):
        if tag == "span" and self.open:
            self.open.pop()

    def handle_data(self, data):
        (self.formulas if any(self.open) else self.text).update(data)


def subset(path: Path, glyphs: set[str]) -> None:
    from fontTools import subset as cutter

    options = cutter.Options(flavor="woff2", hinting=False, notdef_outline=True, ignore_missing_unicodes=True)
    cut = cutter.Subsetter(options)
    cut.populate(text="".join(glyphs))
    with cutter.load_font(str(path), options, lazy=False) as font:
        cut.subset(font)
        cutter.save_font(font, str(path), options)


def purge(css: str, words: set[str]) -> str:
    """The rules of a style sheet that can apply where only these words occur as classes and names."""
    import tinycss2

    def walk(rules):
        for rule in rules:
            if rule.type == "qualified-rule":
                selectors = [part for part in split(tinycss2.serialize(rule.prelude)) if possible(part, words)]
                if selectors:
                    yield f"{','.join(selectors)}{{{tinycss2.serialize(rule.content).strip()}}}"
            elif rule.content is not None and rule.lower_at_keyword in ("media", "supports", "layer", "container"):
                inner = tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True)
                if text := "".join(walk(inner)):
                    yield f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{text}}}"
            else:
                yield rule.serialize()

    css = "".join(walk(tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True)))
    while (shorter := unused_properties(css, words)) != css:
        css = shorter
    return css


def unused_properties(css: str, words: set[str]) -> str:
    """The style sheet without custom properties that neither a rule nor a script reads."""
    read = set(re.findall(r"var\(\s*(--[\w-]+)", css)) | words
    declared = r"(?<=[{;])\s*(--[\w-]+)\s*:[^;{}]*(?:;|(?=\}))"
    return re.sub(declared, lambda found: found[0] if found[1] in read else "", css)


def split(selectors: str) -> list[str]:
    """The selectors of a list; a comma inside brackets does not part them."""
    return [part.strip() for part in re.split(r",(?![^(\[]*[)\]])", selectors) if part.strip()]


def possible(selector: str, words: set[str]) -> bool:
    selector = re.sub(r":not\([^)]*\)|\[[^\]]*\]", "", selector)
    names = [re.sub(r"\\(.)", r"\1", name) for name in re.findall(r"[.#]((?:\\.|[\w-])+)", selector)]
    return all(name in words or name.startswith("ag-") for name in names)
