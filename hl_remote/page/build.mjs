// SPDX-License-Identifier: Apache-2.0
// Bundles the page into one folder: node build.mjs [folder]
import { build } from "esbuild";
import { cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "www");
mkdirSync(out, { recursive: true });
await build({
  entryPoints: [join(here, "src/main.ts")],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2020",
  outfile: join(out, "main.js"),
  logLevel: "warning",
});
for (const file of ["index.html", "style.css"]) cpSync(join(here, file), join(out, file));
