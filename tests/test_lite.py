"""JupyterLite inside the book, as far as no build is needed; `tests/hosts_lite.py` builds it and runs the chapters."""

import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "book" / "_ext"), str(ROOT / "tools")]

import ag_edition  # noqa: E402
import lite  # noqa: E402
import pyodide  # noqa: E402
import serve  # noqa: E402

from attention_geometry import widgets  # noqa: E402

NOTEBOOKS = sorted((ROOT / "book").glob("*.ipynb"))
SERVED = ["attention_geometry-1-py3-none-any.whl", "comm-1-py3-none-any.whl", "jupyterlab_widgets-1-py3-none-any.whl"]


# ------------------------------------------------------------------- the build


def test_every_pin_is_exact_and_what_is_served_is_pinned():
    lines = [line.partition("#")[0].strip() for line in lite.PINS.read_text("utf-8").splitlines()]
    assert all(re.fullmatch(r"[\w-]+==[\w.]+", line) for line in lines if line)
    assert {line.partition("==")[0] for line in lite.pinned()} == set(lite.SERVED)
    assert re.fullmatch(rf"https://[\w.]+/pyodide/v{re.escape(pyodide.VERSION)}/full/", pyodide.CDN)


def test_the_notebooks_keep_their_paths_and_outputs_and_no_solution_is_among_them(tmp_path):
    lite.stage(tmp_path)
    staged = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert staged == [path.relative_to(ROOT).as_posix() for path in NOTEBOOKS]
    for path in NOTEBOOKS:
        old, new = (json.loads(p.read_text("utf-8")) for p in (path, tmp_path / path.relative_to(ROOT)))
        for cell in new["cells"]:
            assert cell["cell_type"] != "code" or cell["metadata"].pop("trusted") is True
        assert new == old


def test_the_site_names_pyodides_own_address_and_no_other():
    spelt = json.dumps(lite.settings(None, SERVED))
    assert set(re.findall(r"https?://[^/\"]+", spelt)) == {"https://cdn.jsdelivr.net"}
    site = lite.settings(None, SERVED)["jupyter-lite.json"]["jupyter-config-data"]["litePluginSettings"]
    kernel = site[lite.KERNEL]
    assert kernel["pyodideUrl"] == f"{pyodide.CDN}pyodide.js" and kernel["disablePyPIFallback"] is True
    beside = [name for name in kernel["loadPyodideOptions"]["packages"] if name.endswith(".whl")]
    assert beside == [lite.FROM_KERNEL + name for name in SERVED[:2]]


def test_a_local_pyodide_leaves_no_other_address(tmp_path):
    settings = lite.settings(tmp_path, SERVED)
    assert "//" not in json.dumps(settings).replace(str(ROOT), "")
    kernel = settings["jupyter-lite.json"]["jupyter-config-data"]["litePluginSettings"][lite.KERNEL]
    assert kernel["pyodideUrl"] == "./static/pyodide/pyodide.js"


def test_what_the_kernel_asks_for_at_once_is_what_the_tests_pyodide_has():
    assert set(lite.AHEAD) <= set(pyodide.NEEDED)


def test_the_server_gives_the_types_that_pyodide_needs():
    wanted = {"a.wasm": "application/wasm", "a.mjs": "text/javascript", "a.json": "application/json"}
    wanted |= {"a.whl": "application/octet-stream", "a.zip": "application/zip", "a.webmanifest": "application/manifest"}
    for name, kind in wanted.items():
        assert serve.content_type(Path(name)).startswith(kind)


# ------------------------------------------------------------------ the button


def buttons(name):
    env = SimpleNamespace(found_docs={"book/01_x"}, doc2path=lambda name, base: name + ".ipynb")
    context = {"header_buttons": ["download"], "pathto": lambda target, kind: f"../{target}"}
    ag_edition.add_buttons(SimpleNamespace(env=env, confdir=ROOT), name, "page.html", context, None)
    return context["header_buttons"]


def test_the_first_button_opens_the_chapter_only_where_jupyterlite_is_built(monkeypatch):
    monkeypatch.delenv(ag_edition.LITE, raising=False)
    assert "lite" not in str(buttons("book/01_x"))
    monkeypatch.setenv(ag_edition.LITE, "1")
    first, *_ = buttons("book/01_x")
    assert first["url"] == "../lite/notebooks/index.html?path=book/01_x.ipynb"
    assert first["text"] == "In this browser" and first["classes"] == "ag-lite"
    assert buttons("search") == ["download"]


def test_a_build_of_the_pages_removes_the_jupyterlite_of_an_earlier_one(tmp_path):
    (tmp_path / "lite" / "notebooks").mkdir(parents=True)
    (tmp_path / "lite" / "notebooks" / "index.html").touch()
    (tmp_path / "book").mkdir()
    for _ in range(2):
        ag_edition.without_lite(SimpleNamespace(outdir=tmp_path))
        assert [path.name for path in tmp_path.iterdir()] == ["book"]


# ----------------------------------------------------------------- the message

APP = """({ megabytes, from }) => {
  window.signal = (heard = []) => ({ connect: (run) => heard.push(run), say: (...a) => heard.map((run) => run(...a)) });
  window.running = signal(); window.registry = signal(); window.log = signal();
  window.info = Promise.withResolvers();
  const output = { level: "critical", toJSON: () => ({ data: { "text/plain": "no <b>wasm</b>" } }) };
  const logger = { contentChanged: log, outputAreaModel: { length: 1, get: () => output } };
  const loggers = { registryChanged: registry, getLoggers: () => [logger] };
  const kernel = { info: info.promise, dispose() { window.ended = true; } };
  const kernels = { runningChanged: running, connectTo: (how) => { window.how = how; return kernel; } };
  document.body.innerHTML = "<script type='application/json' id='jupyter-config-data'></script>";
  const litePluginSettings = { "attention-geometry-loading": { megabytes, from } };
  document.getElementById("jupyter-config-data").textContent = JSON.stringify({ litePluginSettings });
  const mine = window._JUPYTERLAB["attention-geometry-loading"];
  mine.init({ "@jupyterlab/logconsole": { "4.4.5": { get: async () => () => ({ ILoggerRegistry: "token" }) } } });
  return mine.get("./extension").then((module) => {
    const plugin = module().default;
    plugin.activate({ serviceManager: { kernels } }, loggers);
    return [plugin.autoStart, plugin.optional];
  });
}"""


@pytest.fixture
def message(browser):
    """A page on which the extension has started in an app of which nothing but its signals is there."""
    page = browser.new_page()
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    package = json.loads((ROOT / "book" / "lite" / "package.json").read_text("utf-8"))
    page.add_script_tag(path=ROOT / "book" / "lite" / package["jupyterlab"]["_build"]["load"])
    assert page.evaluate(APP, {"megabytes": 7, "from": "a.example"}) == [True, ["token"]]
    page.evaluate("registry.say()")
    page.evaluate("running.say(null, [{ id: 'k', name: 'python' }])")
    yield page
    page.close()


def test_after_two_seconds_it_says_what_is_loading_and_goes_when_python_is_there(message):
    line = message.get_by_role("status")
    message.clock.run_for(1900)
    expect(line).to_have_count(0)  # hidden
    message.clock.run_for(200)
    expect(line).to_contain_text("loading into this browser from a.example: about 7 MB")
    assert message.evaluate("how") == {"model": {"id": "k", "name": "python"}, "handleComms": False}
    message.evaluate("info.resolve()")
    expect(line).to_have_count(0)
    assert message.evaluate("ended")


def test_what_is_ready_sooner_is_not_spoken_of(message):
    message.evaluate("info.resolve()")
    message.clock.run_for(5000)
    expect(message.get_by_role("status")).to_have_count(0)


def test_where_python_cannot_come_it_says_why_in_plain_text(message):
    message.evaluate("log.say()")
    line = message.get_by_role("status")
    expect(line).to_contain_text("could not be loaded from a.example: no <b>wasm</b>")
    message.clock.run_for(5000)
    expect(line).to_contain_text("Check the network")


# -------------------------------------------------------------------- the kernel

ALIVE = """async ([source, state]) => {
  const widget = (await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })))).default;
  const set = (name, value) => { state[name] = value; };
  const model = { get: (name) => state[name] ?? undefined, set, save_changes() {}, on() {}, off() {} };
  const el = document.body.appendChild(document.createElement("div"));
  const dispose = await widget.render({ model, el });
  await new Promise(requestAnimationFrame);
  const handles = el.querySelectorAll("[data-handle]").length;
  dispose();
  return handles;
}"""

TASK = """async ([source, state]) => {
  const widget = (await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })))).default;
  const set = (name, value) => { state[name] = value; };
  const el = document.body.appendChild(document.createElement("div"));
  await widget.render({ model: { get: (name) => state[name], set, save_changes() {}, on() {}, off() {} }, el });
  el.querySelector(".ag-tasks button").click();
  return { mask: state.mask, temperature: state.temperature };
}"""


@pytest.mark.parametrize(
    "widget",
    [
        widgets.AttentionPipeline(),
        widgets.MetricCourt([[0, 0], [1, 0], [0, 1]]),
        widgets.MixtureHull([[0, 0], [1, 0], [0, 1]], [0, 1, 2]),
        widgets.QueryKeyPlane([[1, 0]], [[0, 1]], [[1, 1]]),
    ],
    ids=lambda widget: type(widget).__name__,
)
def test_a_widget_lives_where_none_arrives_as_undefined(browser, widget):
    """So does the kernel that runs in a browser send it."""
    page, errors = browser.new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    state = {name: widget.get_state()[name] for name in widget.keys if not name.startswith("_")}
    state = json.loads(json.dumps(state, default=lambda _: None))
    assert any(value is None for value in state.values())
    assert page.evaluate(ALIVE, [widget._esm, state]) > 0
    page.wait_for_timeout(50)
    assert not errors
    page.close()


def test_a_task_keeps_what_is_none_on_its_way_to_a_live_front_end(browser):
    """Inside a dict the kernel in a browser loses it, so the tasks travel as text."""
    plane = widgets.QueryKeyPlane([[1, 0]], [[0, 1]], tasks=[("Unmask.", {"mask": None, "temperature": 2.0})])
    sent = plane.get_state()
    assert json.loads(sent["tasks"]) == plane.tasks and plane.tasks[0]["state"]["mask"] is None
    assert plane.state()["tasks"] == plane.tasks, "what a page stores is as it was"
    state = json.loads(json.dumps({k: v for k, v in sent.items() if not k.startswith("_")}, default=lambda _: None))
    page = browser.new_page()
    kept = page.evaluate(TASK, [plane._esm, {**state, "mask": [[False]]}])
    assert kept == {"mask": None, "temperature": 2}
    page.close()
