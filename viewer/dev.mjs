// Fills the built page with a payload, to look at it while working: node dev.mjs PAYLOAD.json OUT.html
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const [payload, out] = process.argv.slice(2);
const json = readFileSync(payload);
const { title } = JSON.parse(json);
const escaped = title.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const page = readFileSync(new URL("../src/spanscope/viewer/template.html", import.meta.url), "utf8")
  .replace("<!--SPANSCOPE:TITLE-->", () => escaped)
  .replace("<!--SPANSCOPE:STATIC-->", () => `<h1>${escaped}</h1>`)
  .replace("<!--SPANSCOPE:DATA-->", () => gzipSync(json).toString("base64"));
writeFileSync(out, page);
