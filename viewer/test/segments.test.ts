import assert from "node:assert/strict";
import { test } from "node:test";
import { listed, nearest, ribbon, ribbons, runAt, spots, wrong } from "../src/segments/corpus";
import { halos, pieces, places, search } from "../src/segments/draw";
import { hues, letter } from "../src/segments/model";
import { extent, parts } from "../src/segments/text";
import type { Corpus } from "../src/segments/types";
import { format, parse, type Place } from "../src/segments/url";

const ints = (...values: number[]) => Int32Array.from(values);

/**
 * Two documents of 20 and 10 units, windows 0 and 2. By hand:
 *
 *   document 0   gold 5 and 10; method A 5, 12 and 17: at window 0 one exact, two extra, 10 missed;
 *                at window 2 the boundary at 12 is near, two after gold's 10
 *   document 1   gold has none, A lacks the document
 */
function small(): Corpus {
  return {
    embedded: 2,
    total: 2,
    names: ["t10", "t9"],
    texts: ["aaaaabbbbbcccccddddd", null],
    lengths: ints(20, 10),
    unit: "character",
    labels: ["Fact", "segment"],
    kinds: ["exact", "near", "extra", "missed"],
    windows: [0, 2],
    at: 1,
    methods: ["Gold", "A"],
    sides: {
      0: { has: ints(1, 1), first: ints(0, 2, 2), at: ints(5, 10), at16: ints(5, 10), label: ints(0, -1, 1, 1) },
      1: { has: ints(1, 0), first: ints(0, 3, 3), at: ints(5, 12, 17), at16: ints(5, 12, 17), label: null },
    },
    marks: {
      1: {
        gold: { first: ints(0, 1, 3), from: ints(0, 0, 1), kind: ints(0, 3, 1) },
        pred: { first: ints(0, 1, 3, 4), from: ints(0, 0, 1, 0), kind: ints(0, 2, 1, 2), pair: ints(0, -1, 1, -1) },
        whole: [[1, 0, 2, 1], [1, 1, 1, 0]],
        figures: [[null, null, null, null], [null, null, null, null]],
      },
    },
    rate: { measure: "m", name: "f1", best: 1 },
    values: { 1: [0.5, null], mean: [0.5, null] },
    orders: { 1: ints(0, 1), mean: ints(0, 1) },
  };
}

test("what holds at a step is the last run that has begun", () => {
  const { gold } = small().marks[1];
  assert.deepEqual([0, 1].map((step) => gold.kind[runAt(gold, 1, step)]), [3, 1]);
  assert.equal(gold.kind[runAt(gold, 0, 1)], 0);
});

test("a ribbon at each window", () => {
  const c = small();
  assert.deepEqual(ribbon(c, 0, 1, 0).counts, [1, 0, 2, 1]);
  assert.deepEqual([...ribbon(c, 0, 1, 0).missed], [1]);
  const wide = ribbon(c, 0, 1, 1);
  assert.deepEqual(wide.counts, [1, 1, 1, 0]);
  assert.deepEqual([...(wide.away ?? [])], [0, 2, 0]);
  assert.deepEqual([...(ribbon(c, 0, 0, 0).label ?? [])], [0, -1, 1]);
  assert.deepEqual([...(ribbon(c, 1, 0, 0).label ?? [])], [1]);
  assert.equal(ribbon(c, 1, 1, 0).has, false);
});

test("places with a boundary, and what each side has there", () => {
  const found = spots(ribbons(small(), 0, 0));
  assert.deepEqual(found.map((spot) => [spot.at, ...spot.kinds]), [[5, 0, 0], [10, 0, 3], [12, -1, 2], [17, -1, 2]]);
  assert.deepEqual(found.filter(wrong).map((spot) => spot.at), [10, 12, 17]);
  assert.equal(nearest(found, 11), 10);
  assert.equal(nearest([], 11), -1);
});

test("documents in their orders", () => {
  const c = small();
  assert.deepEqual([...listed(c, "worst", "mean", "")], [0, 1]);
  assert.deepEqual([...listed(c, "name", "mean", "")], [1, 0]);
  assert.deepEqual([...listed(c, "length", "1", "")], [0, 1]);
  assert.deepEqual([...listed(c, "worst", "mean", " T9")], [1]);
});

test("segments that are too narrow are drawn as one, and only what is seen", () => {
  assert.deepEqual(pieces([5, 10], 20, { from: 0, to: 200, scale: 10 }).map((p) => [p.x, p.width, p.segment, p.odd]), [[0, 50, 0, false], [50, 50, 1, true], [100, 100, 2, false]]);
  const dense = Array.from({ length: 1999 }, (_, i) => (i + 1) * 100);
  const drawn = pieces(dense, 200_000, { from: 0, to: 1000, scale: 1000 / 200_000 });
  assert.ok(drawn.length > 300 && drawn.length <= 667);
  assert.equal(drawn.reduce((sum, piece) => sum + piece.width, 0).toFixed(0), "1000");
  const zoomed = pieces(dense, 200_000, { from: 50_000, to: 51_000, scale: 1 });
  assert.deepEqual([zoomed[0].segment, zoomed.length], [499, 11]);
  assert.deepEqual(pieces([], 0, { from: 0, to: 100, scale: 100 }), []);
});

test("marks and halos stay within the text", () => {
  const range = { from: 0, to: 200, scale: 10 };
  assert.deepEqual(places([5, 10, 12], (i) => i !== 1, range), [50, 120]);
  assert.deepEqual(halos([1, 10, 19], 20, 2, range), [[0, 30], [80, 40], [170, 30]]);
  assert.deepEqual(halos([5, 8], 20, 2, range), [[30, 70]]);
  assert.deepEqual(halos([5], 20, 0, range), [[50, 1]]);
  assert.deepEqual([search([3, 6], 0), search([3, 6], 6), search([3, 6], 7)], [0, 1, 2]);
});

test("the text is cut at the boundaries of the chosen sides", () => {
  const c = small();
  const all = spots(ribbons(c, 0, 0));
  const text = c.texts[0] ?? "";
  const found = parts(text, 0, 20, all.filter((spot) => spot.kinds[0] >= 0), c.sides[0].at16);
  assert.deepEqual(found.map((part) => [part.text, part.segment]), [["aaaaa", 0], ["bbbbb", 1], ["cccccddddd", 2]]);
  const long = "x ".repeat(6000);
  const dense = Array.from({ length: 11_998 }, (_, i) => ({ at: i + 1, at16: i + 1, kinds: [0], away: [0] }));
  const [from, to] = extent(long, dense, 6000);
  assert.ok(from < 6000 && to > 6000 && to - from <= 310);
});

test("a place becomes a link and the link the place", () => {
  const c = small();
  const start = parse("", c);
  assert.deepEqual(start, { page: "overview", step: 1, doc: -1, at: -1, sort: "worst", by: "mean", q: "", sides: null, wrong: false, order: "", zoom: 0 });
  const place: Place = { page: "segments", step: 0, doc: 1, at: 7, sort: "name", by: "1", q: "a&b", sides: [1], wrong: true, order: "-near-gold", zoom: 3 };
  for (const one of [start, place, { ...place, sides: [] }]) assert.deepEqual(parse(format(one, c), c), one);
  assert.equal(format(place, c), "#/segments?w=0&doc=t9&at=7&sort=name&by=A&q=a%26b&in=A&wrong=1&order=-near-gold&zoom=3");
  c.methods[1] = "A,50%2C";
  assert.deepEqual(parse(format(place, c), c), place);
  assert.deepEqual(parse("#/segments?doc=1&by=1&in=0,1", c).sides, [0, 1]); // positions, as pages had them before
  assert.deepEqual(parse("#/leaks?w=99&doc=7&sort=up&by=9&in=5,x&zoom=99", c), { ...start, sides: [] });
});

test("segments without a label take no colour, methods a letter", () => {
  assert.deepEqual(hues(small()).map((colour) => colour?.name ?? null), ["var(--hue0)", null]);
  assert.equal(letter(2), "c");
});
