// SPDX-License-Identifier: Apache-2.0
// Bundles the page into one folder: node build.mjs [folder]; its unit tests: node build.mjs --tests folder
import { build } from "esbuild";
import { copyFileSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const common = { bundle: true, format: "esm", logLevel: "warning" };

if (process.argv[2] === "--tests") {
  const tests = join(here, "test");
  await build({
    ...common,
    entryPoints: readdirSync(tests).filter((name) => name.endsWith(".test.ts")).map((name) => join(tests, name)),
    platform: "node",
    target: "node18",
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' }, // for packages that ask so for node's own
    outExtension: { ".js": ".mjs" },
    outdir: process.argv[3],
  });
} else {
  const out = process.argv[2] ?? join(here, "www");
  rmSync(join(out, "parts"), { recursive: true, force: true }); // their names change with their content
  mkdirSync(out, { recursive: true });
  await build({
    ...common,
    entryPoints: [join(here, "src/main.ts")],
    minify: true,
    splitting: true, // what only one tab needs is loaded with that tab
    chunkNames: "parts/[name]-[hash]",
    target: "es2020",
    outdir: out,
  });
  for (const file of ["index.html", "style.css"]) copyFileSync(join(here, file), join(out, file));
  copyFileSync(join(here, "node_modules/uplot/dist/uPlot.min.css"), join(out, "uplot.css"));
}
