// Builds the page: one HTML file with its script and style inside, for Python to fill in.
// Nothing here depends on the date, the machine or the folder, so that two builds give the same bytes.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.argv[2] ?? join(here, "..", "src", "spanscope", "viewer", "template.html");
const LIMIT = 80_000;
const PLACES = ["<!--SPANSCOPE:TITLE-->", "<!--SPANSCOPE:STATIC-->", "<!--SPANSCOPE:DATA-->"];

/**
 * SHA-256 of the sources: every file of src and package-lock.json, sorted by path from this folder (with /),
 * each as path, NUL, bytes, NUL. The Python tests repeat this rule.
 */
function sources() {
  const files = ["package-lock.json", ...readdirSync(join(here, "src"), { recursive: true }).map((f) => `src/${f}`)];
  const hash = createHash("sha256");
  for (const name of files.map((f) => f.replaceAll("\\", "/")).sort()) {
    hash.update(name).update("\0").update(readFileSync(join(here, name))).update("\0");
  }
  return hash.digest("hex");
}

async function bundle(entry) {
  const done = await build({
    entryPoints: [join(here, "src", entry)],
    absWorkingDir: here,
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["es2022"],
    jsx: "transform", // h(...) is shorter than the automatic form by some thousand bytes
    tsconfigRaw: {}, // tsconfig.json speaks to the checker; esbuild would let it overrule what stands here
    jsxFactory: "h",
    jsxFragment: "Fragment",
    inject: entry.endsWith(".tsx") ? [join(here, "src", "jsx.ts")] : [],
    charset: "utf8",
    legalComments: "none",
  });
  return done.outputFiles[0].text.trim();
}

const script = await bundle("main.tsx");
const style = await bundle("style.css");
if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style)) throw new Error("the bundle would end its own element");
const policy = [
  "default-src 'none'",
  `script-src 'sha256-${createHash("sha256").update(script).digest("base64")}'`,
  "style-src 'unsafe-inline'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

// Replaced by functions: a "$&" in the bundle would otherwise be read as a pattern.
const page = readFileSync(join(here, "src", "shell.html"), "utf8")
  .replace("{{SOURCES}}", () => sources())
  .replace("{{POLICY}}", () => policy)
  .replace("{{STYLE}}", () => style)
  .replace("{{SCRIPT}}", () => script);
for (const place of PLACES) {
  if (page.split(place).length !== 2) throw new Error(`${place} must stand in the page exactly once`);
}
const size = Buffer.byteLength(page);
if (size >= LIMIT) throw new Error(`the page has ${size} bytes; the limit is ${LIMIT}`);
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, page);
console.log(`${size} bytes`);
