"""How smoothly the widgets move under a pointer in Chromium: python benchmarks/frames.py [widget …].

A handle is led on a circle, as fast as the processor goes and slowed four times. One line per case: frames in which the
handle moved, per second, and milliseconds of processor per such frame, of the page's main thread (script, style and
layout in brackets) and of all processes of the browser. QueryKeyPlane with 12 tokens has a target: 60 frames a second
(58 count), and 45 where the processor is slowed. On a busy machine believe the milliseconds, not the frames.
"""

import argparse
import asyncio
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from playwright.async_api import async_playwright

from attention_geometry import widgets

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAMES = "the cat sat on the mat and the dog lay by it".split()
POINTS = [[math.cos(2 * i), math.sin(3 * i)] for i in range(12)]
TURNED = [[-y, x] for x, y in POINTS]
FORM = [[1, 0.4], [-0.3, 0.8]]
RATE = 125  # moves of a pointer in a second, as a plain mouse sends them
NEEDED = {1: 58, 4: 45}
SHARES = {"script": "Script", "style": "RecalcStyle", "layout": "Layout"}

CASES = {  # name: (widget, handle that is led, is it held to NEEDED?)
    "QueryKeyPlane, a key": (lambda: widgets.QueryKeyPlane(POINTS, TURNED, POINTS, tokens=NAMES), "k0", True),
    "QueryKeyPlane, a query": (lambda: widgets.QueryKeyPlane(POINTS, TURNED, POINTS, tokens=NAMES), "q3", True),
    "QueryKeyPlane, a token": (lambda: widgets.QueryKeyPlane(X=POINTS, V=POINTS, tokens=NAMES), "x0", True),
    "QueryKeyPlane, comparing": (
        lambda: widgets.QueryKeyPlane(POINTS, TURNED, POINTS, tokens=NAMES, mode="distance", lift=0.5), "k0", False,
    ),
    "MixtureHull": (lambda: widgets.MixtureHull(POINTS, tokens=NAMES), "v0", False),
    "MetricCourt": (lambda: widgets.MetricCourt(POINTS[:6]), "x0", False),
    "AttentionPipeline": (lambda: widgets.AttentionPipeline(POINTS, FORM, FORM, FORM, tokens=NAMES), "x0", False),
}  # fmt: skip

# A frame counts when the handle stands elsewhere than in the frame before.
COUNT = """(handle) => {
  const node = document.querySelector(`.ag-widget [data-handle='${handle}']`);
  let before = "";
  window.agFrames = 0;
  const step = () => {
    const now = node.ariaValueText + node.ariaValueNow;
    if (now !== before) agFrames += 1;
    before = now;
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}"""


async def main(wanted, seconds, repeats):
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
        for name, (make, handle, held) in CASES.items():
            if wanted and not any(name.startswith(word) for word in wanted):
                continue
            with tempfile.TemporaryDirectory() as folder:
                file = make().to_html(pathlib.Path(folder) / "page.html")
                for slow in (1, 4):
                    runs = [await led(browser, file, handle, slow=slow, seconds=seconds) for _ in range(repeats)]
                    row = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
                    print(line(name, slow, row, held), flush=True)
        await browser.close()


def line(name, slow, row, held=False):
    verdict = f", {'met' if row['frames'] >= NEEDED[slow] else 'missed'}" if held else ""
    load = f"; load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    parts = ", ".join(f"{kind} {row[key]:.2f}" for kind, key in SHARES.items())
    return (
        f"{name:25} {'slowed 4×' if slow > 1 else 'as it is ':9} {row['frames']:4.1f} frames/s{verdict}; "
        f"ms a frame: page {row['Task']:.2f} ({parts}), browser {row['browser']:.2f}{load}"
    )


async def led(browser, file, handle, *, slow, seconds):
    """Lead one handle for some seconds; frames a second and milliseconds a frame."""
    page = await browser.new_page(viewport={"width": 1200, "height": 900})
    await page.goto(pathlib.Path(file).as_uri())
    grip = page.locator(f".ag-widget [data-handle='{handle}'] .ag-hit")
    await grip.scroll_into_view_if_needed()
    await page.wait_for_timeout(400)
    box = await grip.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    cdp, whole = await page.context.new_cdp_session(page), await browser.new_browser_cdp_session()
    await cdp.send("Performance.enable", {"timeDomain": "threadTicks"})
    await page.evaluate(COUNT, handle)
    await cdp.send("Emulation.setCPUThrottlingRate", {"rate": slow})
    await page.mouse.move(x, y)
    await page.mouse.down()
    await lead(cdp, x, y, 0.5)  # the first frames find out what is in sight
    before, began = await clocks(page, cdp, whole), time.perf_counter()
    await lead(cdp, x, y, seconds)
    after, took = await clocks(page, cdp, whole), time.perf_counter() - began
    await page.mouse.up()
    await page.close()
    spent = {key: after[key] - before[key] for key in after}
    frames = spent.pop("frames")
    return {"frames": frames / took, **{key: 1000 * value / frames for key, value in spent.items()}}


async def lead(cdp, x, y, seconds):
    """Moves of the pointer on a circle, one every 60th of a second, whether the page has dealt with the last or not."""
    sent, began = [], time.perf_counter()
    for step in range(round(RATE * seconds)):
        angle = 2 * math.pi * step / RATE
        place = {"x": x + 36 * math.sin(angle), "y": y + 36 * (math.cos(angle) - 1)}
        event = {"type": "mouseMoved", "button": "left", "buttons": 1, **place}
        sent.append(asyncio.create_task(cdp.send("Input.dispatchMouseEvent", event)))
        await asyncio.sleep(max(0, began + (step + 1) / RATE - time.perf_counter()))
    await asyncio.gather(*sent)


async def clocks(page, cdp, whole):
    """Frames so far, and seconds of processor: of the main thread by kind of work, and of the whole browser."""
    metrics = {m["name"]: m["value"] for m in (await cdp.send("Performance.getMetrics"))["metrics"]}
    processes = (await whole.send("SystemInfo.getProcessInfo"))["processInfo"]
    return {
        "frames": await page.evaluate("agFrames"),
        **{key: metrics[f"{key}Duration"] for key in ("Task", *SHARES.values())},
        "browser": sum(process["cpuTime"] for process in processes),
    }


def chromium():
    tool = [sys.executable, str(ROOT / "tools" / "chromium.py")]
    return subprocess.run(tool, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("widget", nargs="*", help="the first letters of a case; all without one")
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    asyncio.run(main(options.widget, options.seconds, options.repeats))
