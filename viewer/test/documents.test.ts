import assert from "node:assert/strict";
import { test } from "node:test";
import { keyOf, listed, valueOf } from "../src/frame/documents";
import type { DocumentTable } from "../src/frame/types";

const ints = (...values: number[]) => Int32Array.from(values);
const head = (name: string, of: string, what: "rate" | "count") => ({ name, of, what, best: what === "rate" ? 1 : null });

/** Four documents: F1 is 1, none, 0.5 and 0; "near-miss" is how far off, of which 0 is best; errors are 2, 0, 1 and 2. */
const TABLE: DocumentTable = {
  columns: [head("f1", "exact", "rate"), head("f1", "relaxed", "rate"), { ...head("near-miss", "gaps", "rate"), best: 0 }, head("Errors", "all", "count")],
  cells: {
    0: { values: [0, 0.5, 1], tier: ints(0, 1, 2), at: ints(2, -1, 1, 0) },
    1: { values: [0.25], tier: ints(0), at: ints(0, 0, 0, -1) },
    2: { values: [0, 3, 7], tier: ints(2, 1, 0), at: ints(0, 2, 1, 1) },
    3: ints(2, 0, 1, 2),
  },
};
const NAMES = ["b", "a", "ab", "c"];

test("documents come worst first, and what is undefined last", () => {
  assert.deepEqual(listed(TABLE, NAMES, "", ""), [3, 2, 0, 1]);
});

test("documents by a column, both ways, by name, and by what their name holds", () => {
  assert.deepEqual(listed(TABLE, NAMES, "Errors", ""), [1, 2, 0, 3]);
  assert.deepEqual(listed(TABLE, NAMES, "-Errors", ""), [0, 3, 2, 1]);
  assert.deepEqual(listed(TABLE, NAMES, "-near-miss", ""), [1, 2, 3, 0]);
  assert.deepEqual(listed(TABLE, NAMES, "f1 relaxed", ""), [0, 1, 2, 3]);
  assert.deepEqual(listed(TABLE, NAMES, "-document", "A"), [2, 1]);
  assert.deepEqual(listed(TABLE, NAMES, "no such column", "a"), [2, 1]);
});

test("columns are called by their name, and by what they are of where it is not theirs alone", () => {
  assert.deepEqual(TABLE.columns.map((_, at) => keyOf(TABLE.columns, at)), ["f1", "f1 relaxed", "near-miss", "Errors"]);
  assert.deepEqual([0, 1, 2].map((doc) => valueOf(TABLE, 0, doc)), [1, null, 0.5]);
});
