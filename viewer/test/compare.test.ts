import assert from "node:assert/strict";
import { test } from "node:test";
import { rowsOf } from "../src/compare/document";
import { arrange, filtered, find, nearest, toggled, wanted } from "../src/compare/filter";
import { ends, nice, pValue, signed } from "../src/compare/format";
import { pieces } from "../src/spans/context";
import { differs, holdsZero, honest, scales, sorted, type Line } from "../src/compare/rows";
import { rowName, rowNamed } from "../src/compare/rowname";
import type { Changed, Corpus, Items, Spans } from "../src/compare/types";
import { CLEAR, drilled, format, parse, type Names, type Place } from "../src/compare/url";

const ints = (...values: number[]) => Int32Array.from(values);

const line = (own: Partial<Line>): Line => ({
  at: 0, measure: 0, rate: "f1", average: "micro", label: null, reading: "better", base: 0.5, value: 0.6, difference: 0.1,
  low: 0.05, high: 0.2, p: 0.01, adjusted: 0.01, smallest: 0.1, over: [9, 9], ...own,
});

test("differences have a sign, zeros none, p is never 0", () => {
  assert.deepEqual([0.1, -0.25, 0, -0.00001, 0.00004].map((v) => signed(v)), ["+0.1000", "−0.2500", "0.0000", "0.0000", "0.0000"]);
  assert.equal(signed(null), "–");
  assert.deepEqual([pValue(1), pValue(0.00005), pValue(null)], ["1.0000", "<0.0001", "–"]);
});

test("scales end at round numbers, never inside the data", () => {
  assert.deepEqual([0.27, 0.3, 1, 12, 0].map(nice), [0.3, 0.3, 1, 15, 1]);
  for (const value of [0.0123, 0.9, 1.01, 7.3, 99, 12345]) assert.ok(nice(value) >= value && nice(value) <= 2 * value);
  assert.equal(ends(nice(0.14)), "0.15");
});

test("rates up to 1 share a scale, others have their own", () => {
  const far = line({ measure: 1, rate: "displacement", base: 12, value: 3, difference: -9, low: -14, high: 2 });
  const { shared, of } = scales([line({}), line({ high: 0.4 }), far]);
  assert.equal(shared, 0.4);
  assert.deepEqual(of(line({})), [0.4, true]);
  assert.deepEqual(of(far), [14, false]);
});

test("what differs, and which intervals hold zero", () => {
  assert.deepEqual([line({}), line({ difference: 0 }), line({ base: null, value: null, difference: null }), line({ base: null, difference: null })].map(differs), [true, false, false, true]);
  assert.deepEqual([line({}), line({ low: 0 }), line({ low: -1 }), line({ low: null })].map(holdsZero), [false, true, true, null]);
  assert.equal(honest([line({}), line({ low: -1 }), line({ low: null })]), "1 of 2 intervals include zero.");
  assert.equal(honest([line({ low: -1 }), line({ low: 0 })]), "All 2 intervals include zero.");
  assert.equal(honest([line({}), line({})]), "None of the 2 intervals includes zero.");
});

test("lines are sorted, undefined ones last, unknown columns not at all", () => {
  const lines = [line({ at: 0, difference: 0.1 }), line({ at: 1, difference: null }), line({ at: 2, difference: 0.3 })];
  assert.deepEqual(sorted(lines, "-difference").map((l) => l.at), [2, 0, 1]);
  assert.deepEqual(sorted(lines, "difference").map((l) => l.at), [0, 2, 1]);
  assert.equal(sorted(lines, "odd"), lines);
});

/** Two documents. By hand: 0 fixed (gold 0, B 0), 1 both wrong (gold 1), 2 spurious gone (A 0), 3 broken in document 1. */
function small(): Corpus {
  const spans = (doc: number[], start: number[], end: number[], label: number[]) =>
    ({ doc: ints(...doc), start: ints(...start), end: ints(...end), label: ints(...label), start16: ints(...start), end16: ints(...end), score: null }) as Spans;
  return {
    embedded: 2, total: 2, names: ["one", "two"], texts: ["Alpha beta gamma", null],
    gold: spans([0, 0, 1], [0, 6, 0], [5, 10, 3], [0, 1, 0]),
    a: spans([0, 1], [11, 0], [16, 3], [1, 0]),
    b: spans([0], [0], [5], [0]),
    rows: { change: ints(0, 2, 4, 1), doc: ints(0, 0, 0, 1), label: ints(0, 1, 1, 0), gold: ints(0, 1, -1, 2), a: ints(-1, -1, 0, 1), b: ints(0, -1, -1, -1), kind_a: ints(8, 8, 7, 0), kind_b: ints(0, 8, -1, 8) },
  };
}

test("changes are filtered by kind, label, document and words", () => {
  const rows = (own: object) => [...find(small(), { ...CLEAR, ...own }, 7).rows];
  assert.deepEqual(rows({}), [0, 2, 3]);
  assert.deepEqual(rows({ kinds: [2] }), [1]);
  assert.deepEqual(rows({ label: 1 }), [2]);
  assert.deepEqual(rows({ doc: 1 }), [3]);
  assert.deepEqual(rows({ q: "GAMMA" }), [0, 2]);
  assert.deepEqual(rows({ q: "two" }), [3]);
  assert.deepEqual(rows({ q: "delta" }), []);
  assert.deepEqual([...find(small(), { ...CLEAR, label: 1 }, 7).counts], [0, 0, 1, 0, 1, 0, 0]);
  assert.ok(!filtered({ ...CLEAR, kinds: [1] }) && filtered({ ...CLEAR, q: "x" }));
});

test("chips go on and off, and back to the beginning", () => {
  assert.deepEqual([...wanted(CLEAR, 7)], [1, 1, 0, 0, 1, 1, 0]);
  const off = toggled(CLEAR, 1, 7);
  assert.deepEqual(off, [0, 4, 5]);
  assert.equal(toggled({ ...CLEAR, kinds: off }, 1, 7), null);
  assert.deepEqual(toggled(CLEAR, 2, 7, true), [2]);
});

test("the nearest listed row", () => {
  assert.deepEqual([0, 3, 4, 99, -1].map((row) => nearest(ints(1, 4, 7), row)), [0, 1, 1, 2, 0]);
  assert.equal(nearest(ints(), 3), -1);
});

test("rows of a document in a sorted column", () => {
  const column = ints(0, 0, 2, 2, 2, 5);
  assert.deepEqual([0, 1, 2, 5, 6].map((doc) => rowsOf(column, doc)), [[0, 2], [2, 2], [2, 5], [5, 6], [6, 6]]);
});

test("documents: most changed, worst, best; undefined ones last", () => {
  const readings = ["better", "worse", "higher", "lower", "no clear difference", "undefined", "same"];
  const items: Items = {
    names: ["a", "b", "c", "d", "e"], measure: "m", rate: "pk", best: 0, values: [], // lower is better
    differences: [[0.1, -0.5, 0, null, 0.3]],
    readings: { 1: ints(1, 0, 6, 5, 1) },
  };
  const order = (by: "most" | "worst" | "best", all = false, word = "") => [...arrange(items, readings, 1, by, all, word)].map((i) => items.names[i]).join("");
  assert.deepEqual([order("most"), order("worst"), order("best")], ["bead", "eabd", "baed"]);
  assert.deepEqual([order("most", true), order("worst", true, "C")], ["beacd", "c"]);
});

test("a change is cut where one of three sides begins or ends", () => {
  const found = pieces("one two three four", [4, 13], [8, 13], [4, 7]);
  assert.deepEqual(found.hit.map((p) => [p.text, ...p.in]), [["two", true, false, true], [" ", true, false, false], ["three", true, true, false]]);
  assert.deepEqual([found.before, found.after], ["one\u00a0", " four"]);
});

const names: Names = { pages: ["differences", "changes", "by-document", "about"], runs: ["base", "two", "three"], changes: ["fixed", "broken"], labels: ["A,b &=?#", "B"], documents: ["one", "1", "two", "3", "&=,"],
  rows: 9, items: ["a", "b", "c", "2"], figures: { "0.f1": "f1 spans.exact" }, tell: (row) => ["two", `gold:${row}-9:B`], find: (_, span) => Number(/\d+/.exec(span)?.[0] ?? -1), tellSuspect: (at) => ["two", `pred:${at}-9:B`], findSuspect: (_, span) => Number(/\d+/.exec(span)?.[0] ?? -1) };

test("a change is named by its document and its span, and found again by that name", () => {
  const corpus = small();
  corpus.rows = Object.fromEntries(Object.entries(corpus.rows).map(([key, column]) => [key, ints(...column, column[3])])) as typeof corpus.rows;
  const changed = { corpus, labels: ["A", "B"] } as Changed; // the last change comes twice
  const told = [0, 1, 2, 3, 4].map((row) => rowName(changed, row));
  assert.deepEqual(told, [["one", "gold:0-5:A"], ["one", "gold:6-10:B"], ["one", "pred:11-16:B"], ["two", "gold:0-3:A"], ["two", "gold:0-3~2:A"]]);
  assert.deepEqual(told.map(([document, span]) => rowNamed(changed, document, span)), [0, 1, 2, 3, 4]);
  assert.deepEqual([rowNamed(changed, "three", "gold:0-5:A"), rowNamed(changed, "one", "gold:0-5:B")], [-1, -1]);
});

test("steps into a part of a comparison are undone by Back, choosing and sorting are not", () => {
  const start = parse("", names);
  assert.deepEqual([{ run: 2 }, { label: 1 }, { doc: 2 }].map((by) => drilled(start, { ...start, ...by })), [true, true, true]);
  assert.equal(drilled(start, { ...start, sel: 3, by: "p", q: "w", item: 2 }), false);
});

test("a link is read as it was written", () => {
  const place: Place = { page: "changes", run: 2, all: true, every: true, figure: "0.f1", by: "-p", name: "x y", kinds: [1], label: 0, doc: 4, q: "a&b", sel: 8, order: "best", find: "ü", item: 3, suspect: 6, why: "other label", rank: "-agree" };
  assert.deepEqual(parse(format(place, names), names), place);
  assert.equal(format({ ...parse("", names), page: "changes", run: 2, doc: 1, sel: 8, figure: "0.f1", item: 3 }, names), "#/changes?run=three&figure=f1%20spans.exact&doc=1&in=two&span=gold%3A8-9%3AB&item=2");
  const old = parse("#/changes?run=2&doc=0&sel=7&figure=0.f1&item=1", names); // positions, as pages had them before
  assert.deepEqual([old.run, old.doc, old.sel, old.figure, old.item], [2, 0, 7, "0.f1", 1]);
  assert.equal(parse("#/changes?doc=3", names).doc, 3); // the name, not the position
  const plain = parse("#/odd?run=0&sel=9&doc=x&label=none&order=odd&kind=odd", names);
  assert.deepEqual([plain.page, plain.run, plain.sel, plain.doc, plain.label, plain.order, plain.kinds], ["differences", 1, -1, -1, -1, "most", []]);
  assert.equal(format(parse("", names), names), "#/differences");
});
