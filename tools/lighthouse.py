"""Measure the built pages with Lighthouse: mobile, served compressed, the median of three runs.

    python tools/lighthouse.py [page …]

Exits with 1 where a page scores under 95 for performance or under 100 for accessibility.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from threading import Thread

from node import program
from serve import server

VERSION = "12.8.2"
SITE = Path(__file__).resolve().parent.parent / "_build" / "html"
LEAST = {"performance": 95, "accessibility": 100}
CATEGORIES = [*LEAST, "best-practices", "seo"]
FLAGS = "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
RUNS = 3


def main(pages: list[str]) -> None:
    served = server(SITE, verbose=False)
    Thread(target=served.serve_forever, daemon=True).start()
    pages = pages or [f"book/{path.stem}.html" for path in sorted(SITE.glob("book/*.html"))]
    print(f"{'page':32}" + "".join(f"{name:>16}" for name in CATEGORIES) + "   largest paint, blocked, shift")
    short = [page for page in pages if not measured(page, f"http://localhost:{served.server_port}/{page}")]
    sys.exit(f"under the mark: {', '.join(short)}" if short else 0)


def measured(page: str, address: str) -> bool:
    reports = [lighthouse(address) for _ in range(RUNS)]
    scores = {
        name: statistics.median(round(100 * report["categories"][name]["score"]) for report in reports)
        for name in CATEGORIES
    }
    values = (
        statistics.median(report["audits"][name]["numericValue"] for report in reports)
        for name in ("largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift")
    )
    print(f"{page:32}" + "".join(f"{scores[name]:16.0f}" for name in CATEGORIES), end="")
    print("   {:.0f} ms, {:.0f} ms, {:.3f}".format(*values), flush=True)
    for report in reports[:1]:
        for name in report["categories"]["accessibility"]["auditRefs"]:
            audit = report["audits"][name["id"]]
            if name["weight"] and audit["score"] == 0:
                print(f"    {audit['title']}: {audit.get('details', {}).get('items', [])[:2]}")
    return all(scores[name] >= least for name, least in LEAST.items())


def lighthouse(address: str) -> dict:
    tool = Path(sys.executable).parent / "python"
    chromium = subprocess.run([tool, Path(__file__).parent / "chromium.py"], capture_output=True, text=True, check=True)
    command = [program("npx"), "--yes", f"lighthouse@{VERSION}", address, "--quiet", "--output=json"]
    command += [f"--only-categories={','.join(CATEGORIES)}", f"--chrome-flags={FLAGS}"]
    environment = {**os.environ, "CHROME_PATH": chromium.stdout.strip()}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
