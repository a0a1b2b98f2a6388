import assert from "node:assert/strict";
import { test } from "node:test";
import { corrections, flaggedDocuments, listed, listing, spanAt, suspectName, suspectNamed } from "../src/compare/suspects";
import type { Audit, Columns, Payload } from "../src/compare/types";
import { keyOf, type Flag, type Flags, type Span } from "../src/spans/flags";

const spans = (doc: number[], start: number[], end: number[], label: number[]): Columns =>
  Object.fromEntries(Object.entries({ doc, start, end, label, start16: start, end16: end }).map(([key, own]) => [key, Int32Array.from(own)])) as Columns;

/** Two documents. By hand: in "one" three runs say B where gold says A twice; in "two" two of three find what gold lacks. */
const AUDIT: Audit = {
  systems: ["x", "y", "z"], total: 2, labels: ["A", "B"], names: ["one", "two"], texts: ["Anna Lee", null],
  gold: spans([0, 0, 1], [0, 0, 5], [4, 4, 8], [0, 0, 1]),
  found: spans([0, 1], [0, 0], [4, 3], [1, 0]),
  kind: ["other label", "missed by gold"], of: [3, 3], row: [0, -1], votes: [[0, 1, 2], [0, 2]], with_gold: [[], []],
};
const PAGE = { audit: AUDIT, changed: null, text: "full" } as unknown as Payload;
const all = { why: "", q: "", rank: "" };

test("suspects are filtered by kind and words, and sorted", () => {
  assert.deepEqual(listed(PAGE, all), [0, 1]);
  assert.deepEqual(listed(PAGE, { ...all, rank: "agree" }), [1, 0]);
  assert.deepEqual(listed(PAGE, { ...all, why: "missed by gold" }), [1]);
  assert.deepEqual([listed(PAGE, { ...all, q: "anna" }), listed(PAGE, { ...all, q: "TWO" }), listed(PAGE, { ...all, q: "lee" })], [[0], [1], []]);
});

test("a suspect has a name, and is found by it", () => {
  assert.deepEqual(suspectName(AUDIT, 1), ["two", "pred:0-3:A"]);
  assert.deepEqual([suspectNamed(AUDIT, "two", "pred:0-3:A"), suspectNamed(AUDIT, "one", "pred:0-3:A")], [1, -1]);
});

test("suspects as listed have the names of the library, and no texts where none may leave", () => {
  const [first, second] = listing(PAGE, [0, 1]).trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(first, {
    document: "one", kind: "other label", found: { start: 0, end: 4, label: "B", text: "Anna" }, gold: { start: 0, end: 4, label: "A", text: "Anna" },
    systems: ["x", "y", "z"], with_gold: [], of: 3,
  });
  assert.deepEqual([second.gold, second.systems], [null, ["x", "z"]]);
  assert.ok(!listing({ ...PAGE, text: "none" }, [0, 1]).includes("text"));
});

test("corrections keep what is not flagged, of equal spans the others too", () => {
  const flag = (span: Span, says: Flag["says"]): [string, Flag] => [keyOf(span), { ...span, says, note: "" }];
  const flags: Flags = Object.fromEntries([
    flag(spanAt(AUDIT.gold, AUDIT.labels, "one", true, 1), "wrong"),
    flag(spanAt(AUDIT.found, AUDIT.labels, "one", false, 0), "missing"),
    flag({ document: "one", gold: true, start: 7, end: 8, label: "A", nth: 0 }, "wrong"), // of another gold
    flag({ document: "elsewhere", gold: true, start: 0, end: 4, label: "A", nth: 0 }, "wrong"),
  ]);
  assert.deepEqual(flaggedDocuments(PAGE, flags).map((one) => [one.name, one.flags.length]), [["one", 2]]);
  assert.deepEqual(JSON.parse(corrections(PAGE, flags)).spans, [
    { start: 0, end: 4, label: "A" },
    { start: 0, end: 4, label: "A", meta: { flag: "wrong" } },
    { start: 0, end: 4, label: "B", meta: { flag: "missing" } },
  ]);
});
