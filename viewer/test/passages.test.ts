import assert from "node:assert/strict";
import { test } from "node:test";
import { title } from "../src/frame/format";
import { labelled, places } from "../src/passages/chart";
import { cellsOf, cutoffAt } from "../src/passages/model";
import { filtered, misses, ordered, Words } from "../src/passages/order";
import { pieces } from "../src/passages/pieces";
import { leading, long, mains, short } from "../src/passages/rates";
import { said, strip } from "../src/passages/strip";
import type { Coded } from "../src/frame/types";
import type { Payload, Queries } from "../src/passages/types";
import { CLEAR, format, parse } from "../src/passages/url";

const ints = (...values: number[]) => Int32Array.from(values);
const coded = (values: number[], at: number[], tier = values.map((_, i) => i)): Coded => ({ values, tier: ints(...tier), at: ints(...at) });

/**
 * Three queries, cutoffs 1 and 5. By hand:
 *   one    an answer at rank 2, again at rank 3        two    nothing retrieved
 *   three  no gold answer, one passage                 figures: recall of measures 0 (k=1) and 1 (k=5), em of 2
 */
function small(): Queries {
  const nothing = ints(-1, -1, -1, -1);
  const placed = { file: nothing, start: nothing, end: nothing, name: nothing, normal: nothing };
  return {
    embedded: 3,
    total: 3,
    asked: null,
    names: ["one", "Two", "three"],
    rule: "",
    kind: "substring",
    hows: [],
    cutoffs: [1, 5],
    at: 0,
    columns: [
      { rate: "recall", main: 0, k: null, measures: [0, 1] },
      { rate: "ndcg", main: 1, k: null, measures: [0, 1] },
      { rate: "exact_match", main: 0, k: null, measures: [2] },
    ],
    head: 0,
    figures: {
      "0.recall": coded([0], [0, 0, -1]),
      "1.recall": coded([0, 1], [1, 0, -1]),
      "0.ndcg": coded([0, 0.5], [1, 0, -1]),
      "1.ndcg": coded([0, 0.5, 1.5], [2, 1, 0], [0, 1, 1]),
      "2.exact_match": coded([0], [0, 0, -1]),
    },
    gold_number: ints(1, 1, 0),
    pred_number: ints(3, 0, 1),
    first: ints(2, 0, 0),
    due: ints(1, 1, 0),
    firsts: null,
    gold: { ...placed, edges: ints(0, 1, 2, 2), text: ints(0, 1), grade: ints(1, 1), group: ints(0, 0) },
    passages: {
      ...placed,
      edges: ints(0, 3, 3, 4),
      rank: ints(1, 2, 3, 1),
      state: ints(0, 1, 2, 0),
      grade: ints(0, 3, 3, 0),
      text: ints(2, 3, 3, 2),
      from: nothing,
      left: nothing,
      shared: nothing,
      wanted: nothing,
      size: nothing,
      score: [null, null, null, null],
      precision: null,
      recall: null,
    },
    links: { edges: ints(0, 0, 1, 2, 2), gold: ints(0, 0), how: ints(2, 2), start: ints(0, 0), end: ints(3, 3), alike: null },
    strings: ["Needle", "thread", "hay", "a needle"],
    no_answer: null,
    emptied: ints(0, 0, 0),
  };
}

const list = (rows: Int32Array) => [...rows];
const ALL = ints(0, 1, 2);

test("the worst first at each cutoff, undefined ones last, equal ones by the next rate, then as they come", () => {
  const q = small();
  assert.deepEqual(list(ordered(q, ALL, "0.recall", 0)), [1, 0, 2]);
  assert.deepEqual(list(ordered(q, ALL, "0.recall", 1)), [1, 0, 2]);
  assert.deepEqual(list(ordered(q, ALL, "0.ndcg", 1)), [2, 1, 0]); // 0.5 and 1.5 are as far from 1: recall decides
  assert.deepEqual(list(ordered(q, ALL, "2.exact_match", 1)), [0, 1, 2]);
  assert.deepEqual(list(ordered(q, ALL, "name", 0)), [1, 0, 2]);
  assert.deepEqual(list(ordered(q, ALL, "order", 0)), [0, 1, 2]);
  assert.deepEqual(list(ordered(q, ALL, "first", 0)), [1, 0, 2]);
});

test("a query misses where nothing is found down to the cutoff, and something could be", () => {
  const q = small();
  assert.deepEqual([0, 1, 2].map((row) => misses(q, row, 1)), [true, true, false]);
  assert.deepEqual([0, 1, 2].map((row) => misses(q, row, 5)), [false, true, false]);
  assert.deepEqual([0, 1, 2].map((row) => misses(q, row, null)), [false, true, false]);
});

test("words are looked for in names, answers and passages, whatever their case", () => {
  const q = small();
  const find = (words: string, miss = false) => list(filtered(q, { q: words, miss }, 1, new Words(q)));
  assert.deepEqual(find("TWO"), [1]);
  assert.deepEqual(find("needle"), [0]);
  assert.deepEqual(find("hay"), [0, 2]);
  assert.deepEqual(find("Thread"), [1]);
  assert.deepEqual(find("hay", true), [0]);
  assert.deepEqual(find("nowhere"), []);
  assert.deepEqual(find(""), [0, 1, 2]);
});

test("strips: within the cutoff and beyond it, grades, the first mark", () => {
  const q = small();
  assert.equal(cellsOf(q), 3);
  const drawn = strip(q, 0, 3, 2);
  assert.deepEqual(Object.keys(drawn.inside).sort(), ["new", "none"]);
  assert.deepEqual(Object.keys(drawn.beyond).sort(), ["again", "dot"]);
  assert.equal(drawn.digits.text, "3");
  assert.notEqual(drawn.first, "");
  assert.equal(strip(q, 2, 3, 2).first, "");
  assert.deepEqual(Object.keys(strip(q, 0, 100, null).inside).sort(), ["again", "new", "none"]);
  assert.deepEqual([0, 1, 2].map((row) => said(q, row, 5)), ["answers at rank 2, 3", "nothing retrieved", "no answer found"]);
  assert.equal(said(q, 0, 1), "no answer found");
});

test("links: what differs from the beginning, and nothing of what is wrong", () => {
  const q = small();
  const payload = { queries: q, measures: [1, 5, 0].map((k) => ({ form: `passages.ranking(k=${k})` })) } as Payload;
  const start = parse("", payload);
  assert.deepEqual(start, { page: "overview", step: 0, sort: "0.recall", sel: -1, ...CLEAR });
  assert.equal(format(start, payload), "#/overview");
  const place = { page: "queries", step: 1, sort: "first", sel: 2, q: "a&b=c", miss: true };
  assert.deepEqual(parse(format(place, payload), payload), place);
  assert.equal(format(place, payload), "#/queries?k=5&sort=first&q=a%26b%3Dc&miss=1&query=three");
  assert.deepEqual(parse("#/none?k=2&sel=3&sort=constructor&miss=2", payload), start);
  assert.equal(parse("#/queries?sel=1&sort=0.recall", payload).sel, 1); // positions, as pages had them before
  for (const { measures: [at], rate } of q.columns) assert.equal(parse(format({ ...start, sort: `${at}.${rate}` }, payload), payload).sort, `${at}.${rate}`);
});

test("columns and their names", () => {
  const q = small();
  assert.deepEqual(mains(q, 9).map((column) => short(q, column, 1)), ["R@5", "nDCG@5", "EM"]);
  assert.deepEqual(leading(q, 9).map((column) => long(q, column, 0)), ["Recall at 1", "nDCG at 1"]);
  assert.equal(cutoffAt(q, 1), 5);
  const names = ["mrr", "map", "ndcg", "r_precision", "exact_match", "span_f1", "f1", "iou", "recip_rank", "recall"];
  assert.deepEqual(names.map(title), ["MRR", "MAP", "nDCG", "R-precision", "Exact match", "Span F1", "F1", "IoU", "MRR", "Recall"]);
});

test("a text is cut where marks begin and end, and nothing is lost", () => {
  const marks = [{ from: 2, to: 6, gold: 0 }, { from: 4, to: 8, gold: 1 }, { from: 9, to: 99, gold: 2 }];
  const found = pieces("0123456789", marks);
  assert.deepEqual(found.map((piece) => [piece.text, piece.golds, piece.last]), [
    ["01", [], false],
    ["23", [0], false],
    ["45", [0, 1], true],
    ["67", [1], true],
    ["8", [], false],
    ["9", [2], true],
  ]);
  assert.deepEqual(pieces("", [{ from: 0, to: 0, gold: 0 }]), []);
});

test("cutoffs stand as their logarithms, and numbers that would touch are left out", () => {
  const at = places([1, 10, 100]);
  assert.ok(Math.abs(at[1] - at[0] - (at[2] - at[1])) < 1e-9);
  assert.deepEqual(labelled([0, 5, 30, 40]), [false, true, false, true]);
});
