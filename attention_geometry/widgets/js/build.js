// Bundles all widgets into one classic script (a module does not load from file://); base.py makes a module of it for anywidget.
// usage: node build.js [folder]
import { build } from "esbuild";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? path.join(here, "..", "static");

await build({
  absWorkingDir: here, bundle: true, target: "es2022", legalComments: "none", logLevel: "warning",
  entryPoints: ["page.js"], format: "iife", globalName: "AttentionGeometry", outfile: path.join(folder, "ag-widgets.js"),
});
