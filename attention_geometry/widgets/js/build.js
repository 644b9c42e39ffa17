// Bundles the sources twice: an ES module for anywidget, one classic script for pages (a module does not load from file://).
// usage: node build.js [folder]
import { build } from "esbuild";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? path.join(here, "..", "static");
const common = { absWorkingDir: here, bundle: true, target: "es2022", legalComments: "none", logLevel: "warning" };

await build({ ...common, entryPoints: ["query_key_plane.js"], format: "esm", outfile: path.join(folder, "query_key_plane.js") });
await build({ ...common, entryPoints: ["page.js"], format: "iife", outfile: path.join(folder, "ag-widgets.js") });
