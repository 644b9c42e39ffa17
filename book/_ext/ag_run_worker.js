// Python in a worker of the page, so that the page stays alive and an endless loop can be ended.
// The page sends { settings } once and { run: [cells, index], id } for each run; all files are held to their digests.
"use strict";

const network = self.fetch.bind(self);
const held = new Map(); // file name: what arrived under it

async function hold(source, name, integrity) {
  const answer = await network(source + name, { integrity });
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  const type = name.endsWith(".wasm") ? "application/wasm" : name.endsWith(".js") ? "text/javascript" : "";
  held.set(name, new Blob([await answer.arrayBuffer()], { type }));
  return held.get(name);
}

// Pyodide asks for its files while it starts; it gets those that were checked.
self.fetch = (address, options) => {
  const file = held.get(String(address.url ?? address).split("/").pop());
  return file ? Promise.resolve(new Response(file)) : network(address, options);
};

async function numpy(source, lock) {
  const { file_name, sha256 } = JSON.parse(await (await lock).text()).packages.numpy;
  const bytes = sha256.match(/../g).map((digits) => parseInt(digits, 16));
  return hold(source, file_name, `sha256-${btoa(String.fromCharCode(...bytes))}`);
}

async function start({ source, integrity, archive }) {
  const files = Object.fromEntries(Object.entries(integrity).map(([name, sum]) => [name, hold(source, name, sum)]));
  await Promise.all([...Object.values(files), numpy(source, files["pyodide-lock.json"])]);
  importScripts(...["pyodide.js", "pyodide.asm.js"].map((name) => URL.createObjectURL(held.get(name))));
  const pyodide = await loadPyodide({ indexURL: source, stdout() {}, stderr() {} });
  await pyodide.loadPackage("numpy", { messageCallback() {} });
  pyodide.unpackArchive(Uint8Array.from(atob(archive), (letter) => letter.charCodeAt(0)), "zip", { extractDir: "/book" });
  const run = pyodide.runPython(`
    import importlib, sys
    sys.path.insert(0, "/book")
    importlib.invalidate_caches()
    import numpy
    from ag_cells import run
    run`);
  held.clear();
  return (cells, index) => run(pyodide.toPy(cells), index);
}

let python;
onmessage = async ({ data }) => {
  if (data.settings) {
    python = start(data.settings);
    python.then(() => postMessage({ ready: true }), (error) => postMessage({ failed: String(error?.message ?? error) }));
    return;
  }
  const run = await python, begun = performance.now();
  try {
    const answer = JSON.parse(run(...data.run));
    postMessage({ id: data.id, ...answer, seconds: ((performance.now() - begun) / 1000).toFixed(1) });
  } catch (error) { // Python itself has ended, as when its memory is full
    const said = String(error?.message ?? error).trim().split("\n").pop();
    postMessage({ id: data.id, error: `${said}\n  Python ended and starts anew with the next run.`, broken: true });
  }
};
