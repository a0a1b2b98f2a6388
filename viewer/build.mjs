// Builds the pages: for each folder of src with a main.tsx one HTML file, its script (compressed) and style inside,
// which Python fills in. Nothing here depends on the date, the machine or the folder, so that two builds give the same bytes.
// node build.mjs [FOLDER [NAME ...]]: where the pages are written, and which; all of them into the package otherwise.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { gzipSync } from "fflate"; // the same bytes on every machine, which zlib does not promise

const here = dirname(fileURLToPath(import.meta.url));
const src = join(here, "src");
const target = process.argv[2] ?? join(here, "..", "src", "spanscope", "viewer", "pages");
const LIMIT = 100 * 1024;
const PLACES = ["<!--SPANSCOPE:TITLE-->", "<!--SPANSCOPE:STATIC-->", "<!--SPANSCOPE:DATA-->"];

/**
 * SHA-256 of the sources: every file of src and package-lock.json, sorted by path from this folder (with /),
 * each as path, NUL, bytes, NUL. The Python tests repeat this rule.
 */
function sources() {
  const files = readdirSync(src, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = files.map((entry) => join(entry.parentPath, entry.name).slice(here.length + 1).replaceAll("\\", "/"));
  const hash = createHash("sha256");
  for (const name of ["package-lock.json", ...names].sort()) {
    hash.update(name).update("\0").update(readFileSync(join(here, name))).update("\0");
  }
  return hash.digest("hex");
}

async function bundle(entry) {
  const done = await build({
    entryPoints: [join(src, entry)],
    absWorkingDir: here,
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["es2022"],
    jsx: "automatic",
    jsxImportSource: "preact",
    charset: "utf8",
    legalComments: "none",
  });
  return done.outputFiles[0].text.trim();
}

const hash = (script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

async function page(name) {
  const script = await bundle(`${name}/main.tsx`);
  const packed = Buffer.from(gzipSync(Buffer.from(script), { level: 9, mtime: 0 })).toString("base64");
  const unpack = await bundle("frame/unpack.ts");
  const style = await bundle(`${name}/style.css`);
  if (/<\/script|<!--/i.test(unpack) || /<\/style/i.test(style)) throw new Error("the bundle would end its own element");
  const policy = [
    "default-src 'none'",
    `script-src ${hash(unpack)} ${hash(script)}`, // the second is put into the page by the first
    "style-src 'unsafe-inline'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "connect-src 'none'", // a server that shows the page puts 'self' here
  ].join("; ");
  // Replaced by functions: a "$&" in the bundle would otherwise be read as a pattern.
  const out = readFileSync(join(src, "frame", "shell.html"), "utf8")
    .replace("{{SOURCES}}", () => sources())
    .replace("{{POLICY}}", () => policy)
    .replace("{{STYLE}}", () => style)
    .replace("{{PACKED}}", () => packed)
    .replace("{{UNPACK}}", () => unpack);
  for (const place of PLACES) {
    if (out.split(place).length !== 2) throw new Error(`${place} must stand in the page exactly once`);
  }
  const size = Buffer.byteLength(out);
  if (size >= LIMIT) throw new Error(`the page ${name} has ${size} bytes; the limit is ${LIMIT}`);
  writeFileSync(join(target, `${name}.html`), out);
  console.log(`${name}: ${size} bytes, of which ${packed.length} are a script of ${Buffer.byteLength(script)}`);
}

const all = readdirSync(src).filter((name) => existsSync(join(src, name, "main.tsx"))).sort();
mkdirSync(target, { recursive: true });
for (const name of process.argv.length > 3 ? process.argv.slice(3) : all) await page(name);
