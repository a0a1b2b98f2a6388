import assert from "node:assert/strict";
import { test } from "node:test";
import { find, Lower, nearest, wanted, type Filters } from "../src/spans/filter";
import { kindOf, listed, pairOf, runAt, verdictsAt } from "../src/spans/step";
import { CLEAR } from "../src/spans/url";
import { KINDS, small } from "./small";

const c = small();
const rows = (step: number, change: Partial<Filters> = {}) =>
  find(c, verdictsAt(c, step), { ...CLEAR, ...change }, 2, KINDS.length, new Lower());

test("the run in force is the last that has begun", () => {
  assert.deepEqual([0, 1, 2].map((step) => c.goldRuns.kind[runAt(c.goldRuns, 0, step)]), [0, 0, 1]);
  assert.equal(runAt(c.goldRuns, 3, 2), -1);
});

test("spans stand in reading order, gold first at the same place", () => {
  assert.deepEqual([...c.order], [4, 0, 1, 5, 6, 2, 3]); // 4: the prediction 0-4 ends before the gold span 0-5
  assert.deepEqual([...c.docFirst], [0, 5, 7]);
});

test("every error is listed once, in reading order", () => {
  assert.deepEqual([...rows(0).rows], [1, 6, 2]);
  assert.deepEqual([...rows(2).rows], [0, 1, 6, 2]);
  assert.deepEqual([...rows(0).counts], [1, 0, 1, 0, 0, 0, 0, 1, 1]);
});

test("label pairs: none is the code after the last label", () => {
  assert.deepEqual([...rows(1).cells], [1, 0, 1, 1, 0, 0, 0, 1, 0]);
});

test("filters by kind, label, pair, document and text", () => {
  assert.deepEqual([...rows(2, { kinds: [1, 8] }).rows], [0, 2]);
  assert.deepEqual([...rows(2, { label: 1 }).rows], [1, 6]);
  assert.deepEqual([...rows(0, { pair: [0, 0] }).rows], [0]); // with a pair matches are listed too
  assert.deepEqual([...rows(2, { pair: [0, 2] }).rows], [2]);
  assert.deepEqual([...rows(2, { doc: 1 }).rows], [2]);
  assert.deepEqual([...rows(2, { q: "SKY" }).rows], [2]);
  assert.deepEqual([...rows(2, { q: "two" }).rows], [2]); // by the document's name
  assert.deepEqual([...rows(2, { q: "nowhere" }).rows], []);
  assert.deepEqual([...rows(2, { label: 1, kinds: [7] }).counts], [0, 0, 1, 0, 0, 0, 0, 1, 0]); // kinds do not narrow the counts
});

test("the kinds wanted: every error, or those chosen", () => {
  assert.deepEqual([...wanted(CLEAR, 4)], [0, 1, 1, 1]);
  assert.deepEqual([...wanted({ ...CLEAR, pair: [0, 0] }, 4)], [1, 1, 1, 1]);
  assert.deepEqual([...wanted({ ...CLEAR, kinds: [2] }, 4)], [0, 0, 1, 0]);
});

test("a prediction in a pair tells its gold span's verdict", () => {
  const v = verdictsAt(c, 1);
  assert.equal(KINDS[kindOf(c, v, 5)], "type");
  assert.deepEqual(pairOf(c, v, 5), [1, 1]);
  assert.equal(listed(c, v, 5), 1);
  assert.equal(listed(c, v, 6), 6);
  assert.equal(kindOf(c, v, 3), -1);
});

test("the nearest row keeps the place in the text", () => {
  const list = rows(0).rows;
  assert.equal(nearest(c, list, 6), 1);
  assert.equal(nearest(c, list, 0), 0); // matched at this step: the next finding
  assert.equal(nearest(c, list, -1), 0);
  assert.equal(nearest(c, new Int32Array(0), 6), -1);
});
