// Node runs one Python program in Pyodide, with this repository at /book: node pyodide.mjs FOLDER ROOT PACKAGES WHEELS
// The program comes from standard input; what it prints goes out as it comes; its last expression is our exit code.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, root, packages, wheels] = process.argv.slice(2);
try {
  const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")));
  const pyodide = await loadPyodide({ indexURL: folder, env: { PYTHONPATH: "/wheels:/book" } });
  await pyodide.loadPackage(packages.split(","), { messageCallback() {} });
  if (wheels) {
    for (const name of readdirSync(wheels)) {
      pyodide.unpackArchive(new Uint8Array(readFileSync(join(wheels, name))), "wheel", { extractDir: "/wheels" });
    }
  }
  pyodide.FS.mkdir("/book");
  pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root }, "/book");
  pyodide.runPython("import importlib; importlib.invalidate_caches()"); // both folders are new to it
  process.exitCode = pyodide.runPython(readFileSync(0, "utf-8"));
} catch (error) { // its stack would quote a megabyte of Pyodide's source
  console.error(error.message);
  process.exitCode = 70;
}
