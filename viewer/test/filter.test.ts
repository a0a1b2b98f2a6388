import assert from "node:assert/strict";
import { test } from "node:test";
import { filtered, find, nearest, searcher, wanted, type Filters } from "../src/spans/filter";
import { kindOf, listed, pairOf, stepper } from "../src/spans/step";
import { CLEAR } from "../src/spans/url";
import { KINDS, small } from "./small";

const c = small();
const rows = (step: number, change: Partial<Filters> = {}) =>
  find(c, stepper(c)(step), { ...CLEAR, ...change }, 2, KINDS.length, searcher());

test("the run in force is the last that has begun, whichever way the slider came", () => {
  const at = stepper(c);
  for (const step of [0, 1, 2, 1, 0, 2, 0]) {
    const v = at(step);
    assert.deepEqual([...v.kind], [step < 2 ? 0 : 1, 2, 8, -1, -1, -1, 7], `step ${step}`); // gold 3 has no run at all
    assert.deepEqual([...v.partner], [0, 1, -1, -1]);
    assert.deepEqual([...v.of], [0, 1, -1]);
  }
});

test("a prediction that changes hands belongs to its last gold span", () => {
  const d = small();
  // Gold 0 has prediction 0 at step 0 only; gold 1 has prediction 1 at first and prediction 0 from step 1 on.
  d.goldRuns = {
    first: Int32Array.from([0, 2, 4, 5, 5]),
    from: Int32Array.from([0, 1, 0, 1, 0]),
    kind: Int32Array.from([0, 8, 2, 1, 8]),
    pred: Int32Array.from([0, -1, 1, 0, -1]),
  };
  const at = stepper(d);
  assert.deepEqual([...at(0).of], [0, 1, -1]);
  assert.deepEqual([...at(2).of], [1, -1, -1]);
  assert.deepEqual([...at(2).partner], [-1, 0, -1, -1]);
  assert.deepEqual([...at(0).of], [0, 1, -1]);
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
  assert.deepEqual(Array.from(rows(1).cells, (n) => n ?? 0), [1, 0, 1, 1, 0, 0, 0, 1]);
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

test("filters by slice: of documents, and of spans, where a prediction that was meant for its gold span is not asked", () => {
  assert.deepEqual([...rows(2, { slice: [0, 0] }).rows], [0, 1, 6]);
  assert.deepEqual([...rows(2, { slice: [0, 1] }).rows], [2]);
  assert.deepEqual([...rows(2, { slice: [1, 1] }).rows], [0, 1]); // gold 0 is long; prediction 1, another label than gold 1, is
  assert.deepEqual([...rows(2, { slice: [1, 0] }).rows], [1, 6, 2]); // not gold 0, whose prediction is short
  assert.ok(filtered({ ...CLEAR, slice: [0, 0] }));
});

test("filters by length and by confidence: both ends count", () => {
  // Lengths in characters: gold 0 five, gold 1 three, prediction 2 two, gold 2 three.
  assert.deepEqual([...rows(2, { len: [3, 3] }).rows], [1, 2]);
  assert.deepEqual([...rows(2, { len: [4, Infinity] }).rows], [0]);
  assert.deepEqual([...rows(2, { len: [-Infinity, 2] }).rows], [6]);
  assert.deepEqual([...rows(2, { len: [3, 3] }).counts], [0, 0, 1, 0, 0, 0, 0, 0, 1]);
  c.pred.score = [0.9, 0.25, null];
  assert.deepEqual([...rows(2, { conf: [0.25, 0.5] }).rows], [1]);
  assert.deepEqual([...rows(2, { conf: [0, 1] }).rows], [0, 1]); // no score, or no prediction: not listed
  assert.deepEqual([...rows(2, { conf: [0.25, 1], len: [5, 9] }).rows], [0]);
  c.pred.score = null;
  assert.ok(filtered({ ...CLEAR, len: [1, 2] }) && filtered({ ...CLEAR, conf: [0, 1] }) && !filtered(CLEAR));
});

test("the kinds wanted: every error, or those chosen", () => {
  assert.deepEqual([...wanted(CLEAR, 4)], [0, 1, 1, 1]);
  assert.deepEqual([...wanted({ ...CLEAR, pair: [0, 0] }, 4)], [1, 1, 1, 1]);
  assert.deepEqual([...wanted({ ...CLEAR, kinds: [2] }, 4)], [0, 0, 1, 0]);
});

test("a prediction in a pair tells its gold span's verdict", () => {
  const v = stepper(c)(1);
  assert.equal(KINDS[kindOf(v, 5)], "type");
  assert.deepEqual(pairOf(v, 5), [1, 1]);
  assert.equal(listed(v, 5), 1);
  assert.equal(listed(v, 6), 6);
  assert.equal(kindOf(v, 3), -1);
});

test("the nearest row keeps the place in the text", () => {
  const list = rows(0).rows;
  assert.equal(nearest(c, list, 6), 1);
  assert.equal(nearest(c, list, 0), 0); // matched at this step: the next finding
  assert.equal(nearest(c, list, -1), 0);
  assert.equal(nearest(c, new Int32Array(0), 6), -1);
});
