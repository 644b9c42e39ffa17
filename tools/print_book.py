"""Print the first part of the built book as one PDF, by a headless Chromium.

    python tools/print_book.py dist/attention-geometry-part-one.pdf

The chapters are put one after the other into one page beside the built ones (``_build/html/print``), with their links
made to lead inside it. Widgets stand as the still pictures that every page carries, figures as they are stored; code
that a page folds away is left out.
"""

from __future__ import annotations

import sys
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import yaml
from bs4 import BeautifulSoup
from chromium import HELP, named, of_playwright, on_path

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "_build" / "html"
PAGE = "print/part-one.html"
LEFT_OUT = ".headerlink, script, details.hide, .toctree-wrapper, .ag-selftest button"
LAYOUT = """
@page { margin: 18mm 20mm 20mm; }
html { font-size: 12.5px; } body { background: #fff; }
.bd-article { max-width: none; padding: 0; content-visibility: visible; }
.bd-article * { content-visibility: visible !important; }
.bd-article { break-before: page; }
h1, h2, h3 { break-after: avoid; }
figure, tr, .ag-static, .katex-display, .cell { break-inside: avoid; }
pre { white-space: pre-wrap; }
.cover { padding-top: 30vh; text-align: center; } .cover ol { list-style: none; padding: 3rem 0; line-height: 2; }
"""
FOOT = '<div style="font: 9px sans-serif; width: 100%; text-align: center"><span class="pageNumber"></span></div>'


def main(target: Path) -> None:
    path = SITE / PAGE
    path.parent.mkdir(exist_ok=True)
    path.write_text(edition(SITE, part_one()), encoding="utf-8")
    target.parent.mkdir(parents=True, exist_ok=True)
    print_page(path, target)
    path.unlink()
    path.parent.rmdir()
    print(f"{target}: {target.stat().st_size / 1e6:.1f} MB")


def part_one() -> list[str]:
    """The pages of the first part, in the order of the contents."""
    contents = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    return [f"{chapter['file']}.html" for chapter in contents["parts"][0]["chapters"]]


def edition(site: Path, names: list[str]) -> str:
    """One page that holds the articles of these, as they stand without a script."""
    whole = BeautifulSoup((site / names[0]).read_text(encoding="utf-8"), "html.parser")
    title, head = whole.title.string.rpartition("—")[2].strip(), whole.find("link", href=lambda h: "ag-light.css" in h)
    version = whole.find("meta", attrs={"name": "docsearch:version"})["content"]
    articles = {name: article(site / name, name, names) for name in names}
    rows = "".join(f'<li><a href="#{anchor(n, "")}">{a.h1.get_text()}</a></li>' for n, a in articles.items())
    return f"""<!DOCTYPE html><html lang="en" data-theme="light" data-mode="light"><head><meta charset="utf-8">
<title>{title}</title>{head}<style>{LAYOUT}</style></head><body>
<div class="cover"><h1>{title}</h1><p>The first part, version {version}</p><ol>{rows}</ol>
<p>The printed figures stand still; in the pages they can be moved.</p></div>
{"".join(map(str, articles.values()))}</body></html>"""


def article(path: Path, name: str, names: list[str]):
    found = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser").select_one("article.bd-article")
    found["id"] = anchor(name, "")
    for node in found.select(LEFT_OUT):
        node.decompose()
    for node in found.select("details"):
        node["open"] = ""
    for node in found.select("[id]"):  # two chapters may use one name
        node["id"] = anchor(name, node["id"])
    for link in found.select("a[href]"):
        address = urlsplit(urljoin(name, link["href"]))
        if address.scheme:
            continue
        if address.path in names:
            link["href"] = "#" + anchor(address.path, address.fragment)
        else:  # a page that is not printed
            del link["href"]
    return found


def anchor(name: str, fragment: str) -> str:
    return f"{Path(name).stem}--{fragment}" if fragment else Path(name).stem


def print_page(path: Path, target: Path) -> None:
    from playwright.sync_api import sync_playwright

    program = named() or on_path() or of_playwright() or sys.exit(HELP)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        page = chromium.new_page(color_scheme="light")
        page.goto(path.as_uri(), wait_until="load")
        page.evaluate("document.fonts.ready")
        margins = {"top": "18mm", "bottom": "20mm", "left": "20mm", "right": "20mm"}
        page.pdf(
            path=target, format="A4", margin=margins, print_background=True, tagged=True, outline=True,
            display_header_footer=True, header_template="<span></span>", footer_template=FOOT,
        )  # fmt: skip
        chromium.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
