"""The light pages: what the pass over the finished HTML removes, what it keeps, and that it notices its own failure."""

import gzip
import re
import struct
import sys
from pathlib import Path

import pytest
from sphinx.errors import ExtensionError

ROOT = Path(__file__).parent.parent
SITE = ROOT / "_build" / "html"
sys.path.insert(0, str(ROOT / "book" / "_ext"))

import ag_slim  # noqa: E402

# -------------------------------------------------------------------- styles


@pytest.mark.parametrize(
    "selector, kept",
    [
        ("p", True),
        (".used", True),
        (".gone", False),
        (".used .gone", False),
        ("p:not(.gone)", True),
        (".used[data-x='.gone']", True),
        ("#used > .used", True),
        (r".md\:used", False),
        (".ag-made-by-a-script", True),
    ],
)
def test_a_selector_is_kept_where_all_its_names_occur(selector, kept):
    assert ag_slim.possible(selector, {"used"}) == kept


def test_rules_go_one_selector_at_a_time_and_inside_media_too():
    css = "p{a:b}.used,.gone{c:d}.gone{e:f}@media print{.gone{g:h}.used{i:j}}@media screen{.gone{k:l}}"
    assert ag_slim.purge(css, {"used"}) == "p{a:b}.used{c:d}@media print{.used{i:j}}"


def test_fonts_and_animations_are_kept():
    css = "@font-face{font-family:F;src:url(f.woff2)}@keyframes turn{to{top:0}}"
    assert ag_slim.purge(css, set()) == css


def test_a_property_that_nothing_reads_goes_and_so_do_those_only_it_read():
    css = ":root{--a:1;--b:var(--a);--c:var(--d);--d:2}p{top:var(--c)}"
    assert ag_slim.purge(css, set()) == ":root{--c:var(--d);--d:2}p{top:var(--c)}"
    assert ag_slim.purge(css, {"--b"}) == css  # a script reads it


def test_a_comma_inside_brackets_parts_no_selectors():
    assert ag_slim.split("a:is(b,c) , d[e='f,g']") == ["a:is(b,c)", "d[e='f,g']"]


# --------------------------------------------------------------------- fonts


def test_the_glyphs_of_formulas_and_of_text_are_told_apart():
    page = '<p>ab<span class="katex"><span class="katex-html">x<span>y</span></span>c</span>&lt;é</p>'
    found = ag_slim.Glyphs(page)
    assert found.formulas == set("xy") and found.text == set("abc<é")


def test_a_font_keeps_the_glyphs_asked_for(tmp_path):
    from fontTools.ttLib import TTFont

    font = tmp_path / "font.woff2"
    font.write_bytes((ROOT / ".cache/assets/static/katex/fonts/KaTeX_Main-Regular.woff2").read_bytes())
    before = font.stat().st_size
    ag_slim.subset(font, set("xy∑≤"))
    with TTFont(font) as cut:
        kept = set(map(chr, cut.getBestCmap()))
    assert set("xy≤") <= kept and len(kept) < 8
    assert font.stat().st_size < before / 10


# ------------------------------------------------------------------ pictures


def test_the_measures_of_pictures(tmp_path):
    png = tmp_path / "a.png"
    png.write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + struct.pack(">II", 640, 480))
    svg = tmp_path / "a.svg"
    svg.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="72pt" height="36pt" viewBox="0 0 1 1"/>', "utf-8")
    other = tmp_path / "b.svg"
    other.write_text('<svg viewBox="0 0 1 1"/>', "utf-8")
    assert ag_slim.measures(png) == (640, 480)
    assert ag_slim.measures(svg) == (96, 48)
    assert ag_slim.measures(other) is None


# ------------------------------------------------------------------ the pass

PAGE = """<!DOCTYPE html>
<html lang="en" data-theme="auto">
<head>
<script>
    document.documentElement.dataset.mode = localStorage.getItem("mode") || "";
    document.documentElement.dataset.theme = localStorage.getItem("theme") || "";
</script>
<link rel="stylesheet" type="text/css" href="{up}_static/styles/theme.css?v=1" />
<link rel="stylesheet" type="text/css" href="{up}_static/katex/katex.min.css?v=1" />
<script defer src="{up}_static/scripts/fontawesome.js?digest=1"></script>
<link rel="preload" as="script" href="{up}_static/scripts/bootstrap.js?digest=1" />
<script src="{up}_static/documentation_options.js?v=1"></script>
<script src="{up}_static/doctools.js?v=1"></script>
<script src="{up}_static/searchtools.js"></script>
<script src="{up}searchindex.js"></script>
</head>
<body><p class="used">A <span class="katex-html">x</span> <img src="{up}_images/a.png" alt="a"></p>
<details><summary aria-label="Toggle hidden content">Show the code</summary></details>
<script defer src="{up}_static/scripts/bootstrap.js?digest=1"></script></body>
</html>
"""
FILES = {
    "_static/styles/theme.css": '@import "../basic.css";\n.used{color:red}.gone{top:0}i{background:url(../img.png)}',
    "_static/basic.css": '.fa::before{content:"\\f0c9"}.used::before{content:"\\f0c9"}',
    "_static/katex/katex.min.css": '@font-face{font-family:K;src:url(fonts/K.woff2) format("woff2")}',
    "_static/documentation_options.js": 'const DOCUMENTATION_OPTIONS = {LANGUAGE: "en", n: "\\\\d"};',
    "_static/doctools.js": "doctools()",
    "_static/searchtools.js": """for (q of [".headerlink", "script", "style"]) remove(q);
docContent = html.querySelector('[role="main"]');
return docContent.textContent;""",
    "searchindex.js": "index()",
    "_static/scripts/fontawesome.js": "x" * 1000,
    "_static/scripts/bootstrap.js": "gone",
    "_static/scripts/pydata-sphinx-theme.js": """before();document.querySelectorAll(["pre",".output"].join(", "))\
.forEach(e=>{e.tabIndex=0});after()""",
}
FONTS = {
    "_static/katex/fonts/K.woff2": "katex/fonts/KaTeX_Main-Regular.woff2",
    "_static/fonts/L.woff2": "fonts/literata-latin-400-normal.woff2",
    "_static/vendor/fontawesome/webfonts/fa-solid-900.woff2": "katex/fonts/KaTeX_AMS-Regular.woff2",
}


@pytest.fixture
def site(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    for name, source in FONTS.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / ".cache/assets/static" / source).read_bytes())
    (tmp_path / "_images").mkdir()
    (tmp_path / "_images/a.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 64, 48))
    (tmp_path / "book").mkdir()
    (tmp_path / "book/one.html").write_text(PAGE.format(up="../"), encoding="utf-8")
    (tmp_path / "search.html").write_text(PAGE.format(up=""), encoding="utf-8")
    return tmp_path


def test_a_page_keeps_what_it_needs_and_loses_the_rest(site):
    ag_slim.Slim(site).run()
    page, search = ((site / name).read_text("utf-8") for name in ("book/one.html", "search.html"))
    for gone in ("fontawesome.js", "bootstrap.js", "searchtools.js", "searchindex.js", "theme.css", "aria-label"):
        assert gone not in page, gone
    assert '<script defer src="../_static/doctools.js?v=1">' in page
    assert FILES["_static/documentation_options.js"] in page
    assert re.search(r'<link rel="stylesheet" href="\.\./_static/ag-light\.css\?v=[0-9a-f]{8}" />', page)
    assert '<img width="64" height="48" src="../_images/a.png" alt="a">' in page
    assert '<html lang="en" data-theme="light">' in page and "matchMedia" in page
    assert "searchtools.js" in search and "<script defer src" not in search  # an inline script there needs them
    css = (site / "_static/ag-light.css").read_text("utf-8")
    assert ".used{" in css and ".gone" not in css and ".fa" not in css
    assert "url(img.png)" in css and "url(katex/fonts/K.woff2)" in css and "@import" not in css


def test_a_page_full_of_formulas_is_laid_out_as_the_reader_comes_to_it(site, monkeypatch):
    page = site / "book/one.html"
    article = '<article class="bd-article"><span class="katex">x</span></article>'
    page.write_text(page.read_text("utf-8").replace("<p class", article + "<p class"), "utf-8")
    monkeypatch.setattr(ag_slim, "LONG", 0)
    ag_slim.Slim(site).run()
    assert '<article class="bd-article ag-long">' in page.read_text("utf-8")


def test_the_first_fonts_are_asked_for_from_a_server_and_not_from_disk(site):
    ag_slim.Slim(site).run()
    early = (site / "book/one.html").read_text("utf-8")
    assert 'served = location.protocol !== "file:"' in early and "if (served) for (const font" in early
    assert "'../_static/katex/fonts/KaTeX_Main-Regular.woff2'" in early


def test_pages_of_an_earlier_build_are_removed(site):
    class App:
        outdir = site
        builder = type("Builder", (), {"name": "html"})

    ag_slim.start_anew(App)
    assert not list(site.rglob("*.html")) and (site / "_static/doctools.js").exists()


def test_the_theme_gives_no_tab_stops(site):
    ag_slim.Slim(site).run()
    assert (site / "_static/scripts/pydata-sphinx-theme.js").read_text("utf-8") == "before();void 0;after()"


def test_a_search_result_quotes_the_article(site):
    ag_slim.Slim(site).run()
    script = (site / "_static/searchtools.js").read_text("utf-8")
    assert '"style", ".katex-mathml"]' in script and "querySelector('article')" in script
    assert 'docContent.textContent.replace(/\\s+/g, " ");' in script


def test_a_step_that_finds_nothing_fails(site):
    for name in ("book/one.html", "search.html"):
        path = site / name
        path.write_text(re.sub(".*fontawesome.*", "", path.read_text("utf-8")), "utf-8")
    with pytest.raises(ExtensionError, match="nothing to do for: icon script"):
        ag_slim.Slim(site).run()


def test_a_heavy_page_fails(site, monkeypatch):
    monkeypatch.setattr(ag_slim, "BUDGET", 500)
    with pytest.raises(ExtensionError, match="weighs .* bytes compressed, the budget is 500"):
        ag_slim.Slim(site).run()


def test_pages_are_slimmed_once(site):
    ag_slim.Slim(site).run()
    with pytest.raises(ExtensionError, match="slimmed already"):
        ag_slim.Slim(site)


def test_the_folder_itself_leads_to_the_first_page(tmp_path):
    ag_slim.open_at(tmp_path, "book/index")
    page = (tmp_path / "index.html").read_text("utf-8")
    assert 'content="0; url=book/index.html"' in page and '<a href="book/index.html">' in page


# ------------------------------------------------------------ the built book


@pytest.fixture(scope="module")
def book():
    if not (SITE / "book" / "index.html").is_file():
        pytest.fail("the book is not built: run make book first")
    return {path.relative_to(SITE).as_posix(): path.read_text("utf-8") for path in SITE.glob("book/*.html")}


def test_no_page_of_the_book_loads_from_another_host(book):
    for name, html in book.items():
        loads = re.findall(r'<(?:script|link|img|iframe|source)\b[^>]*\b(?:src|href)="([^"]+)"', html)
        assert [url for url in loads if re.match(r"(https?:)?//", url)] == [], name
    assert not re.search(r"url\(['\"]?(https?:)?//", (SITE / "_static/ag-light.css").read_text("utf-8"))


def test_every_page_of_the_book_has_a_description_and_a_language(book):
    for name, html in book.items():
        assert re.search(r'<meta name="description" content="[^"]{20,170}"', html), name
        assert re.search('<html lang="en"[^>]* data-theme="light">', html), name


def test_text_styles_and_scripts_of_a_page_stay_light(book):
    styles = len(gzip.compress((SITE / "_static/ag-light.css").read_bytes(), 6))
    assert styles < 40_000
    for name, html in book.items():
        sources = {source.replace("../", "") for source in re.findall(r'<script[^>]*src="([^"?]+)', html)}
        scripts = sum(len(gzip.compress((SITE / source).read_bytes(), 6)) for source in sources)
        assert len(gzip.compress(html.encode(), 6)) + styles + scripts < 150_000, name


def test_every_link_of_the_book_leads_somewhere(book):
    for name, html in book.items():
        for link in re.findall(r'<a\b[^>]*\bhref="([^"]+)"', html):
            target, _, anchor = link.partition("#")
            if re.match(r"\w+:", target):
                continue
            place = (SITE / name).parent / target if target else SITE / name
            assert place.resolve().is_file(), f"{name}: {link}"
            if anchor and place.suffix == ".html":
                assert f'id="{anchor}"' in place.read_text("utf-8"), f"{name}: {link}"
