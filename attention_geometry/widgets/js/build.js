// Bundles all widgets into one classic script (a module does not load from file://): ag-widgets.js, to be read, of which
// base.py makes a module for anywidget, and the same for readers to download, ag-widgets.min.js with ag-widgets.min.css.
// usage: node build.js [folder]
import { build } from "esbuild";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { minify } from "terser";

const here = path.dirname(fileURLToPath(import.meta.url));
const there = path.join(here, "..", "static");
const folder = process.argv[2] ?? there;
const common = { absWorkingDir: here, target: "es2022", legalComments: "none", logLevel: "warning" };

// gzip looks back 32 KB: what resembles each other stands together, words first, then arithmetic, then pictures.
const KINDS = [/^strings\//, /^(geometry|forms|hull|axioms|stages)\./, /numpy/, /^(format|dom|state|exports)\./, /^/];
const kind = (file) => KINDS.findIndex((pattern) => pattern.test(file));
const sources = readdirSync(here, { recursive: true }).map((file) => file.replaceAll("\\", "/"))
  .filter((file) => /^(strings\/)?\w+\.js$/.test(file) && !/^(build|page)\.js$/.test(file)).sort()
  .sort((a, b) => kind(a) - kind(b));

await build({
  ...common, bundle: true, format: "iife", outfile: path.join(folder, "ag-widgets.js"),
  banner: { js: "var AttentionGeometry = {};" },
  stdin: {
    resolveDir: here,
    contents: [...sources.map((file) => `import "./${file}";`), 'import { widgets } from "./page.js";', "AttentionGeometry.widgets = widgets;"].join("\n"),
  },
});
const script = readFileSync(path.join(folder, "ag-widgets.js"), "utf8");
// In two steps, since the short names are chosen by how often each letter stands in the text that they are chosen for.
const compressed = await minify(script, { ecma: 2022, compress: { passes: 3 }, mangle: false });
const small = await minify(compressed.code, { ecma: 2022, compress: false });
writeFileSync(path.join(folder, "ag-widgets.min.js"), `${small.code}\n`);
await build({
  ...common, minify: true, entryPoints: [path.join(there, "ag-widgets.css")], outfile: path.join(folder, "ag-widgets.min.css"),
});
