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

// gzip looks back 32 KB, so the order decides what it finds again: words, arithmetic, parts, then widget by widget. Of the
// hundred orders that were tried this one packs best; a file that is not on the list comes last.
const ORDER = `
  strings/query_key_plane strings/plane strings/metric_court strings/mixture_hull strings/attention_pipeline geometry
  axioms forms dom hull format numpy hull_numpy labels court_numpy strings/frame fields pairs graph handles state stages
  pipeline_picture pipe_flows pipe_arithmetic pipe_parts pipe_points exports predict view pipe_tables attention_pipeline
  tokens witness court_matrix court_panels plane metric_court arrows plane_controls winners compare bars experiments
  hull_questions hull_controls hull_pictures hull_rows hull_table mixture_hull basis width query_key_plane
`.trim().split(/\s+/).map((name) => `${name}.js`);
const sources = readdirSync(here, { recursive: true }).map((file) => file.replaceAll("\\", "/"))
  .filter((file) => /^(strings\/)?\w+\.js$/.test(file) && !/^(build|page)\.js$/.test(file)).sort();
const rank = (file) => (ORDER.includes(file) ? ORDER.indexOf(file) : ORDER.length);
sources.sort((a, b) => rank(a) - rank(b));

await build({
  ...common, bundle: true, format: "iife", outfile: path.join(folder, "ag-widgets.js"),
  banner: { js: "var AttentionGeometry = {};" },
  stdin: {
    resolveDir: here,
    contents: [...sources.map((file) => `import "./${file}";`), 'import { widgets } from "./page.js";', "AttentionGeometry.widgets = widgets;"].join("\n"),
  },
});
const script = readFileSync(path.join(folder, "ag-widgets.js"), "utf8");
// What is written in one way packs well: one word for all declarations (no string holds a "const "), arrows for functions (none
// has a `this`), "" + x for String(x) (`unsafe`; no arithmetic is touched). In two steps, since the short names are chosen by how often each letter stands in the text they are chosen for.
const alike = script.replace(/\bconst (?=[\w$[{])/g, "let ");
const compress = { passes: 3, inline: 1, pure_getters: true, unsafe: true, unsafe_arrows: true };
const compressed = await minify(alike, { ecma: 2022, compress, mangle: false });
const small = await minify(compressed.code, { ecma: 2022, compress: false });
writeFileSync(path.join(folder, "ag-widgets.min.js"), `${small.code}\n`);
await build({
  ...common, minify: true, entryPoints: [path.join(there, "ag-widgets.css")], outfile: path.join(folder, "ag-widgets.min.css"),
});
