"""The built book in Chromium: from a server under a sub-path and from disk, with every other host blocked."""

import gzip
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from attention_geometry import attention

ROOT = Path(__file__).parent.parent
SITE = ROOT / "_build" / "html"
CHAPTERS = [f"book/{path.stem}" for path in sorted((ROOT / "book").glob("*.ipynb"))]
PAGES = [*CHAPTERS, "book/statements", "book/notation", "book/glossary", "book/references", "search"]
WIDGETS = {page: (ROOT / f"{page}.ipynb").read_text("utf-8").count("data-ag-widget=") for page in CHAPTERS}
WITH_WIDGET = [page for page, count in WIDGETS.items() if count]
THEIRS = {"label-content-name-mismatch", "region"}  # the theme's search field and logo

pytestmark = pytest.mark.browser


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Where the built book is served: under a sub-path, as on a project's page of a code host."""
    if not (SITE / "index.html").is_file():
        pytest.fail("the book is not built: run make book first")
    root = tmp_path_factory.mktemp("host")
    (root / "some").mkdir()
    (root / "some" / "sub").symlink_to(SITE, target_is_directory=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(root)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/some/sub"
    server.shutdown()
    server.server_close()


@pytest.fixture
def visit(browser, site):
    """Open a page; at the end there was no request elsewhere, none that failed, and no error in the console."""
    contexts, troubles = [], []

    def visit(page_name, *, base=site, **settings):
        context = browser.new_context(**{"viewport": {"width": 1200, "height": 900}, **settings})
        contexts.append(context)
        context.route("**/*", lambda route: route.continue_() if at_home(route.request.url) else route.abort())
        page = context.new_page()
        page.on("pageerror", lambda error: troubles.append(f"{page_name}: {error}"))
        if settings.get("java_script_enabled", True):  # without it Chromium gives up on preloaded scripts
            page.on("requestfailed", lambda request: troubles.append(f"{page_name}: failed {request.url}"))
        page.on("console", lambda m: troubles.append(f"{page_name}: {m.text}") if m.type == "error" else None)
        page.on("request", lambda r: None if at_home(r.url) else troubles.append(f"{page_name}: asked for {r.url}"))
        page.goto(f"{base}/{page_name}.html")
        page.set_default_timeout(60_000)  # a busy machine is no failure
        return page

    def at_home(url):
        return url.startswith((site, "data:", "blob:", SITE.as_uri()))

    yield visit
    seen = list(troubles)  # what is under way when a page is closed has not failed
    for context in contexts:
        context.close()
    assert not seen


def pass_over(page):
    """Have all of a page laid out and its widget mounted, as after a reader who went through it."""
    page.add_style_tag(content="* { content-visibility: visible !important }")
    for widget in page.locator("[data-ag-widget]").all():
        widget.evaluate("node => node.scrollIntoView()")
        expect(widget).to_have_attribute("data-ag-mounted", "true", timeout=20_000)


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_opens_with_everything_it_needs(visit, name, scheme):
    page = visit(name, color_scheme=scheme)
    assert page.title()
    pass_over(page)
    wanted = page.locator(".ag-static[data-ag-widget]").count()
    expect(page.locator("[data-ag-mounted]")).to_have_count(wanted)
    assert wanted == WIDGETS.get(name, 0)


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", [320, 360])
def test_a_narrow_page_does_not_scroll_sideways(visit, name, width):
    page = visit(name, viewport={"width": width, "height": 700})
    pass_over(page)
    wide = page.evaluate(
        """() => document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll("main *")]
        .filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 120))"""
    )
    assert not wide[:5]
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_from_disk(visit, name):
    page = visit(name, base=SITE.as_uri())
    pass_over(page)
    expect(page.locator("[data-ag-mounted]")).to_have_count(WIDGETS.get(name, 0))


@pytest.mark.parametrize("name", PAGES)
def test_a_first_visit_is_light(visit, site, name):
    sizes = {}
    page = visit(name)
    page.wait_for_load_state("networkidle")  # a reload would break off what is under way
    page.on("response", lambda r: sizes.setdefault(r.url.split("#")[0], weight(r)))
    page.reload(wait_until="networkidle")
    text = {url: size for url, size in sizes.items() if "/_images/" not in url}
    assert f"{site}/{name}.html" in text
    assert len(sizes) <= 25, sorted(sizes)
    assert sum(text.values()) <= 200_000, sorted(text.items(), key=lambda item: -item[1])


def weight(response):
    """Bytes on the wire of a server that compresses text."""
    if response.url.startswith("data:"):
        return 0
    body = response.body()
    packed = response.url.split("?")[0].endswith((".woff2", ".png"))
    return len(body if packed else gzip.compress(body, 6))


@pytest.mark.parametrize("name", PAGES)
def test_nothing_new_for_the_accessibility_checker(visit, axe, name):
    page = visit(name)
    pass_over(page)
    if name in WITH_WIDGET:
        page.wait_for_selector("[data-ag-mounted]", state="attached")
    page.wait_for_function(  # ag-page.js gives them while the browser is idle
        """() => [...document.querySelectorAll(".bd-article pre")]
        .every(box => box.scrollWidth <= box.clientWidth || box.tabIndex === 0 || !box.checkVisibility())"""
    )
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    ours = [(v["id"], [n["html"][:120] for n in v["nodes"]][:3]) for v in found if v["id"] not in THEIRS]
    assert not ours


def test_dragging_on_the_page_gives_pythons_numbers(visit):
    page = visit("book/01_the_comparison")
    pass_over(page)
    widget = page.locator(".ag-widget")
    before = shares(widget)
    handle = widget.locator("[data-handle=k0] .ag-hit")
    handle.evaluate("handle => handle.scrollIntoView({block: 'center', behavior: 'instant'})")
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y + 40, steps=5)
    page.mouse.up()
    state = vectors(widget)
    assert state["K"][0][0] < 1.0 and shares(widget) != before
    A = attention.softmax(np.array(state["Q"]) @ np.array(state["K"]).T / np.sqrt(2))
    assert shares(widget) == [f"{a:.3f}" for a in A[0]]


def test_a_widget_waits_for_its_reader_and_a_link_brings_it_at_once(visit):
    page = visit("book/01_the_comparison")
    page.wait_for_load_state("networkidle")
    assert page.locator("[data-ag-mounted]").count() == 0
    page.get_by_role("navigation").get_by_role("link", name="Take it in your hands").locator("visible=true").click()
    expect(page.locator("[data-ag-mounted]")).to_have_count(1)
    expect(page.locator(".ag-widget").first).to_be_in_viewport()


@pytest.mark.parametrize("name", WITH_WIDGET)
def test_every_entry_of_the_contents_leads_to_its_heading(visit, name):
    page = visit(name)
    for link in page.locator("#pst-page-toc-nav a, .bd-sidebar-secondary a.nav-link").all():
        link.click()
        heading = page.locator(f"section[id='{link.get_attribute('href')[1:]}'] > :is(h2, h3)").first
        expect(heading).to_be_in_viewport()
        # the last lines of a page get their true height when they are laid out
        at_end = page.evaluate("innerHeight + scrollY > document.documentElement.scrollHeight - 100")
        assert at_end or heading.bounding_box()["y"] < 150


def shares(widget):
    return widget.locator(".ag-bars tbody td:last-child").all_inner_texts()


def vectors(widget):
    widget.get_by_role("button", name="NumPy").click()
    found = {}
    exec(widget.locator("textarea").input_value(), found)
    widget.get_by_role("button", name="Close").click()
    return found


def test_B16_the_widget_survives_a_reload(visit):
    page = visit("book/03_the_mixture")
    for _ in range(2):
        pass_over(page)
        expect(page.locator(".ag-widget")).to_have_count(WIDGETS["book/03_the_mixture"])
        page.reload()


def test_F32_without_javascript_a_chapter_can_be_read(visit):
    page = visit("book/01_the_comparison", java_script_enabled=False)
    assert page.locator(".katex-html").count() > 50
    expect(page.locator(".ag-static svg").first).to_be_visible()
    expect(page.locator(".ag-static table").first).to_be_visible()
    expect(page.locator("figure img").first).to_be_visible()


def test_F34_the_printed_page_holds_the_still_widget(visit):
    page = visit("book/01_the_comparison")
    page.emulate_media(media="print")
    expect(page.locator(".ag-static svg").first).to_be_visible()
    assert len(page.pdf(format="A4")) > 50_000


def test_the_ledger_is_filtered_by_kind(visit):
    page = visit("book/statements")
    everything = page.get_by_role("link", name="Statement").locator("visible=true").count()
    page.get_by_label("proved here").uncheck()
    fewer = page.get_by_role("link", name="Statement").locator("visible=true").count()
    assert 0 < fewer < everything


def test_a_statement_is_reached_by_its_reference(visit):
    page = visit("book/03_the_mixture")
    page.get_by_role("link", name="Statement 3.2").first.click()
    assert "#" in page.url
    expect(page.get_by_text("Weights see scores up to one constant per row").first).to_be_in_viewport()


def test_search_finds_a_term(visit):
    page = visit("search")
    page.goto(page.url + "?q=gauge")
    expect(page.locator("#search-results li").first).to_be_visible()
    assert page.locator("#search-results li").count() >= 1


@pytest.mark.parametrize("width", [320, 1200])
def test_a_menu_of_the_header_opens_beneath_its_button(visit, width):
    page = visit("book/01_the_comparison", viewport={"width": width, "height": 700})
    for button in page.locator(".bd-header-article .dropdown-toggle").all():
        button.click()
        menu, above = page.locator(".dropdown-menu.show").bounding_box(), button.bounding_box()
        assert 0 <= menu["x"] <= above["x"] < above["x"] + above["width"] <= menu["x"] + menu["width"] + 1 <= width
        assert above["y"] < menu["y"] <= above["y"] + above["height"] + 8
        page.keyboard.press("Escape")
        expect(page.locator(".dropdown-menu.show")).to_have_count(0)


def test_the_theme_switch_is_remembered(visit):
    page = visit("book/01_the_comparison")
    first = page.locator("html").get_attribute("data-theme")
    button = page.locator(".theme-switch-button").locator("visible=true").first
    for _ in range(3):
        button.click()
        if page.locator("html").get_attribute("data-theme") != first:
            break
    changed = page.locator("html").get_attribute("data-theme")
    assert changed != first
    page.reload()
    assert page.locator("html").get_attribute("data-theme") == changed
