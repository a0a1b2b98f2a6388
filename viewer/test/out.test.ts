import assert from "node:assert/strict";
import { test } from "node:test";
import { stem } from "../src/frame/exports";
import { corrections } from "../src/spans/corrections";
import { flagged, keyOf, read, spanOf, type Flag, type Flags } from "../src/spans/flags";
import { following } from "../src/spans/flag";
import type { Model } from "../src/spans/model";
import { heads, listing, row } from "../src/spans/out";
import { groups, ordered, surface } from "../src/spans/order";
import { spanName, spanNamed } from "../src/spans/spanname";
import { stepper } from "../src/spans/step";
import { KINDS, small } from "./small";

function model(text = "full"): Model {
  const corpus = small();
  corpus.raw.unplaced = {};
  corpus.goldRuns = { ...corpus.goldRuns, iou: Int32Array.of(8000, 8000, 10000, -1), text: Int32Array.of(8889, 8889, 10000, -1), score: Int32Array.of(8311, 8311, 10000, -1) };
  return { payload: { text, labels: ["A", 'B "b", c'], kinds: KINDS, title: "t", inputs: [] }, corpus } as unknown as Model;
}

test("a listed finding is a line: spans, texts, and how alike they are", () => {
  const m = model();
  const v = stepper(m.corpus!)(2);
  const lines = listing(m, v, [0, 6, 2], true).split("\n");
  assert.deepEqual(lines, [
    "document,kind,gold_start,gold_end,gold_label,gold_text,pred_start,pred_end,pred_label,pred_text,iou,text_ratio,score",
    "one,boundary,0,5,A,Alpha,0,4,A,Alph,0.8,0.8889,0.8311",
    'one,spurious,,,,,10,12,"B ""b"", c",x ,,,',
    "two,missing,0,3,A,Sea,,,,,,,",
    "",
  ]);
  const found = JSON.parse(listing(m, v, [0], false));
  assert.deepEqual(found, {
    document: "one", kind: "boundary",
    gold: { start: 0, end: 5, label: "A", text: "Alpha" }, pred: { start: 0, end: 4, label: "A", text: "Alph" },
    score: 0.8311, iou: 0.8, text_ratio: 0.8889,
  });
  assert.equal(row(m, v, 2), "two\tmissing\t0\t3\tA\tSea\t\t\t\t\t\t\t");
});

test("where texts are masked or withheld none goes out", () => {
  for (const text of ["masked", "none"]) {
    const m = model(text);
    const v = stepper(m.corpus!)(2);
    const all = [listing(m, v, [0, 6, 2], true), listing(m, v, [0, 6, 2], false), row(m, v, 0), corrections(m, new Map([[0, {} as Flag]]))].join();
    assert.ok(!/Alph|Sea|bet/.test(all), all);
    assert.equal(heads(false).includes("gold_text"), false);
  }
});

test("a flag names its span by what it is; equal spans are told apart", () => {
  const m = model();
  const span = spanOf(m, 1);
  assert.deepEqual(span, { document: "one", gold: true, start: 6, end: 9, label: 'B "b", c', nth: 0 });
  m.corpus!.gold.start[1] = 0;
  m.corpus!.gold.end[1] = 5;
  m.corpus!.gold.label[1] = 0;
  assert.deepEqual([spanOf(m, 0).nth, spanOf(m, 1).nth], [0, 1]);
});

test("flags come back by their ids; what cannot be read is none", () => {
  const m = model();
  const flags: Flags = {};
  for (const id of [0, 6]) flags[keyOf(spanOf(m, id))] = { ...spanOf(m, id), says: "wrong", note: "" };
  assert.deepEqual([...flagged(m, read(JSON.stringify(flags))).keys()].sort(), [0, 6]);
  assert.deepEqual(read("{broken"), {});
  assert.deepEqual(read('{"a": {"says": "nothing known"}}'), {});
});

test("the key goes through the flags and ends with none", () => {
  const seen: (string | null)[] = [];
  for (let says = following(true); seen.push(says), says; says = following(true, { says } as Flag));
  assert.deepEqual(seen, ["wrong", "unsure", "discuss", null]);
  assert.equal(following(false), "missing");
});

test("corrections list the spans of gold and those that it lacks", () => {
  const m = model();
  const flags = new Map<number, Flag>([
    [0, { ...spanOf(m, 0), says: "wrong", note: "no name" }],
    [6, { ...spanOf(m, 6), says: "missing", note: "" }],
    [5, { ...spanOf(m, 5), says: "discuss", note: "" }],
  ]);
  const lines = corrections(m, flags).trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(lines, [
    {
      id: "one",
      text: "Alpha bet x yy ends here",
      spans: [
        { start: 0, end: 5, label: "A", meta: { flag: "wrong", note: "no name" } },
        { start: 6, end: 9, label: 'B "b", c' },
        { start: 10, end: 12, label: 'B "b", c', meta: { flag: "missing" } },
      ],
      meta: {
        document: "one",
        corrections: ["wrong: gold A 0-5 (no name)", "discuss: predicted A 6-9", 'missing: predicted B "b", c 10-12'],
      },
    },
  ]);
});

test("a span is in an address by what it is", () => {
  const m = model();
  assert.deepEqual(spanName(m, 1), ["one", 'gold:6-9:B "b", c']);
  for (const id of [0, 1, 4, 6, 3]) assert.equal(spanNamed(m, ...spanName(m, id)), id);
  assert.equal(spanNamed(m, "nowhere", "gold:6-9:A"), -1);
  assert.equal(spanNamed(m, "one", "gold:6-8:A"), -1);
});

test("the list is sorted by a column, equals in reading order, what there is not last", () => {
  const m = model();
  const v = stepper(m.corpus!)(2);
  const rows = Int32Array.of(0, 1, 6, 2); // boundary, type, spurious, missing
  assert.deepEqual([...ordered(m, v, rows, "")], [0, 1, 6, 2]);
  assert.deepEqual([...ordered(m, v, rows, "alike")], [0, 1, 6, 2]);
  assert.deepEqual([...ordered(m, v, rows, "-alike")], [1, 0, 6, 2]);
  assert.deepEqual([...ordered(m, v, rows, "-kind")], [2, 6, 1, 0]);
  assert.deepEqual([...ordered(m, v, rows, "text")], [0, 1, 2, 6]); // Alpha, bet, Sea, x
  assert.deepEqual([...ordered(m, v, rows, "labels")], [6, 2, 0, 1]);
  assert.deepEqual([...ordered(m, v, rows, "nonsense")], [0, 1, 6, 2]);
});

test("groups: the largest first, each with one of its findings", () => {
  const m = model();
  m.corpus!.raw.texts[1] = "bet to sky";
  const v = stepper(m.corpus!)(2);
  const rows = Int32Array.of(0, 1, 6, 2);
  assert.deepEqual(groups(m, v, rows, "text").map((g) => [g.name, g.count, g.id]), [["bet", 2, 1], ["Alpha", 1, 0], ["x", 1, 6]]);
  assert.deepEqual(groups(m, v, rows, "doc").map((g) => [g.name, g.count]), [["one", 3], ["two", 1]]);
  assert.deepEqual(groups(m, v, rows, "labels").map((g) => g.name), ["A → A", 'B "b", c → A', '∅ → B "b", c', "A → ∅"]);
  assert.equal(surface(m.corpus!, -1, 2), "x");
});

test("files are named after the run", () => {
  assert.equal(stem("requirements.pred.jsonl against requirements.gold.jsonl"), "requirements.pred-against-requirements.gold");
  assert.equal(stem("Lauf 7: ä/b"), "Lauf-7-ä-b");
  assert.equal(stem("…"), "spanscope");
});
