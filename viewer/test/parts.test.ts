import assert from "node:assert/strict";
import { test } from "node:test";
import { toggled } from "../src/spans/chips";
import { outline, points, spread } from "../src/spans/curve";
import { share } from "../src/spans/matrix";
import { count, rate, threshold } from "../src/frame/format";
import { lanes, whole, windowOf } from "../src/spans/lanes";
import { slice } from "../src/frame/list";
import { pieces } from "../src/spans/context";
import { fit, fromRight, initials } from "../src/spans/names";
import { CLEAR, drilled, ends, format, parse, range, type Names, type Place } from "../src/spans/url";
import { KINDS, small } from "./small";

test("nested spans: the inner one nearest the text", () => {
  const found = lanes([0, 6, 8, 20], [19, 18, 12, 25]);
  assert.deepEqual([...found.lane], [2, 1, 0, 0]);
  assert.equal(found.count, 3);
});

test("spans that only touch share a lane, equal and empty ones do not", () => {
  assert.deepEqual([...lanes([0, 4], [4, 8]).lane], [0, 0]);
  assert.deepEqual([...lanes([3, 3], [5, 5]).lane], [0, 1]);
  assert.deepEqual([...lanes([3, 3], [3, 5]).lane], [0, 1]);
  assert.equal(lanes([], []).count, 0);
});

test("a long text is cut at blanks, a short one not at all", () => {
  assert.deepEqual(windowOf("short", 3), [0, 5]);
  const text = "word ".repeat(100);
  const [from, to] = windowOf(text, 250, 101);
  assert.equal(text[from - 1], " ");
  assert.equal(text[to - 1], " ");
  assert.ok(from <= 250 && 250 < to && to - from < 110);
});

test("no surrogate pair is parted", () => {
  const text = "🍕".repeat(50);
  assert.equal(whole(text, 3), 2);
  assert.equal(whole(text, 4), 4);
  const [from, to] = windowOf(text, 51, 21);
  assert.deepEqual([from % 2, to % 2], [0, 0]);
});

test("a finding is cut where a side begins or ends", () => {
  const found = pieces("one two three four", [4, 13], [8, 18]);
  assert.equal(found.before, "one\u00a0");
  assert.deepEqual(found.hit, [
    { text: "two ", in: [true, false] },
    { text: "three", in: [true, true] },
    { text: " four", in: [false, true] },
  ]);
  assert.equal(found.after, "");
  assert.equal(pieces("a\tb\nc", [0, 5], null).hit[0].text, "a b c");
});

const names: Names = {
  labels: ["Action", "A,b &=?#"],
  kinds: KINDS,
  steps: Array.from({ length: 21 }, (_, i) => (i / 20).toFixed(2)),
  at: 10,
  documents: ["a", "b", "c & d", "1"],
  tell: (id) => ["b", `gold:${id}-${id + 1}:x`],
  find: (document, span) => (document === "b" ? Number(/gold:(\d+)/.exec(span)?.[1] ?? -1) : -1),
  pages: ["overview", "errors", "about"],
  ways: [{ by: "source", names: ["news", "a&b, c"] }],
};
const start: Place = { ...CLEAR, page: "overview", step: 10, sel: -1, sort: "", group: "", order: "", find: "" };

test("a place becomes a link and the link the place", () => {
  const places: Place[] = [
    start,
    { ...start, page: "errors", step: 12, kinds: [1, 2], label: 0, pair: [0, 2], doc: 2, q: "a word?&#=%", sel: 99 },
    { ...start, page: "errors", kinds: [3], label: 1 },
    { ...start, page: "errors", kinds: [] },
    { ...start, page: "errors", len: [3, 10], conf: [0.5, Infinity] },
    { ...start, page: "errors", len: [-Infinity, 12], conf: [-2.5, 0] },
    { ...start, page: "errors", slice: [0, 1] },
    { ...start, page: "errors", sort: "-alike", group: "labels", is: "the words", flagged: true, pair: [2, 1] },
    { ...start, page: "about", order: "-F1 of a & b", find: "c,d" },
  ];
  for (const place of places) assert.deepEqual(parse(format(place, names), names), place);
  assert.equal(format({ ...start, page: "errors", step: 12, kinds: [1, 2] }, names), "#/errors?t=0.60&kind=boundary,type");
  assert.equal(format({ ...start, page: "errors", pair: [0, 2], doc: 1, sel: 7 }, names), "#/errors?gold=Action&pred=&doc=b&in=b&span=gold%3A7-8%3Ax");
});

test("steps into a part of the list are undone by Back, choosing and sorting are not", () => {
  assert.equal(drilled(start, { ...start, doc: 1 }), true);
  assert.equal(drilled(start, { ...start, pair: [0, 1] }), true);
  assert.equal(drilled(start, { ...start, group: "text" }), true);
  assert.equal(drilled(start, { ...start, sel: 4, sort: "text", step: 3, q: "w" }), false);
});

test("a slice is in the link by its name", () => {
  assert.equal(format({ ...start, page: "errors", slice: [0, 0] }, names), "#/errors?by=source&slice=news");
  assert.equal(parse("#/errors?by=source&slice=nobody", names).slice, null);
  assert.equal(parse("#/errors?by=author&slice=news", names).slice, null);
});

test("a broken link is read as far as it goes", () => {
  assert.deepEqual(parse("", names), start);
  assert.deepEqual(parse("#/leaks?t=0.33&doc=Z&in=a&span=odd&gold=Nobody&pred=Action&label=Nobody&group=nonsense", names), start);
  assert.deepEqual(parse("#/errors?kind=nonsense", names).kinds, []);
});

test("ranges: open ends, and what says nothing", () => {
  assert.deepEqual(range("3..10"), [3, 10]);
  assert.deepEqual(range("0.5.."), [0.5, Infinity]);
  assert.deepEqual(range("..7"), [-Infinity, 7]);
  for (const text of ["", "..", "3", "a..b", "1..2..3"]) assert.equal(range(text), null);
  assert.deepEqual(ends([-Infinity, 7]), ["", "7"]);
  assert.equal(format({ ...start, page: "errors", len: [3, Infinity] }, names), "#/errors?len=3..");
});

test("kinds: one on or off, only one, and all of them is no filter", () => {
  assert.deepEqual(toggled(CLEAR, 2, 4), [1, 3]);
  assert.deepEqual(toggled(CLEAR, 2, 4, true), [2]);
  assert.equal(toggled({ ...CLEAR, kinds: [1, 3] }, 2, 4), null);
  assert.deepEqual(toggled(CLEAR, 0, 4), [0, 1, 2, 3]);
});

test("the slice of a list, also of one taller than a browser allows", () => {
  assert.deepEqual(slice(0, 280, 1000), { first: 0, last: 16, top: 0, tall: 28000 });
  assert.deepEqual(slice(2800, 280, 1000), { first: 94, last: 116, top: 94 * 28, tall: 28000 });
  const end = slice(30_000_000 - 280, 280, 5_000_000);
  assert.equal(end.last, 5_000_000);
  assert.equal(end.tall, 30_000_000);
});

test("names at line ends are moved apart, about their middle", () => {
  assert.deepEqual(spread([10, 50], 13), [10, 50]);
  assert.deepEqual(spread([10, 10, 10], 12), [-2, 10, 22]);
  assert.deepEqual(spread([100, 100], 12, 0, 100), [88, 100]); // not below the foot, where the ticks stand
});

test("the curve of a label, and the band where both bounds are known", () => {
  const raw = small().raw;
  raw.by_label = [[[1, 2, 3, 0.5, 0.25, 0.3], [0, 0, 1, null, 0, 0]]];
  assert.deepEqual(points(raw, 1), [{ precision: null, recall: 0, value: 0 }]);
  assert.equal(points(raw, -1), raw.whole);
  const band = { at: [0, 2, 4], low: [0.1, null, 0.3], high: [0.2, 0.5, 0.6] };
  assert.equal(outline(band, (x) => x, (y) => y), "M0.0 0.2L4.0 0.6L4.0 0.3L0.0 0.1Z");
  assert.equal(outline({ at: [1], low: [null], high: [1] }, (x) => x, (y) => y), "");
});

test("a cell as a count, as a share of its row and of its column", () => {
  const n = [[6, 2], [4, 0]];
  const table = { size: 2, at: (g: number, p: number) => n[g][p], shown: [0, 1], rows: Int32Array.from([8, 4]), columns: Int32Array.from([10, 2]) };
  assert.deepEqual([0, 1, 2].map((mode) => share(table, mode, 0, 0)), [6, 75, 60]);
  assert.deepEqual([0, 1, 2].map((mode) => share(table, mode, 0, 1)), [2, 25, 100]);
});

test("numbers", () => {
  assert.equal(rate(0.74455), "0.7446");
  assert.deepEqual([0.03125, 0.09375, 0.5, 2.0].map((value) => rate(value)), ["0.0312", "0.0938", "0.5000", "2.0000"]); // as Python rounds
  assert.equal(rate(null), "–");
  assert.equal(count(1234567), "1\u2009234\u2009567");
  assert.equal(count(999), "999");
  assert.deepEqual([0, 0.5, 0.37, 0.125].map(threshold), ["0.00", "0.50", "0.37", "0.125"]);
});

test("a name is shortened in its middle, then to its initials, then to its sign", () => {
  const width = (text: string) => [...text].length * 6;
  assert.equal(fit("Main_actor", "", 60, width), "Main_actor");
  assert.equal(fit("Main_actor", "", 59, width), "Main…ctor");
  assert.equal(fit("Main_actor", "↔ ", 48, width), "↔ Mai…or");
  assert.equal(fit("Main_actor", "↔ ", 47, width), "↔ MA");
  assert.equal(fit("L5 that somebody typed in by hand", "", 24, width), "L5TS"); // as many of them as fit
  assert.equal(fit("Main_actor", "↔ ", 12, width), "↔");
  assert.equal(fit("Main_actor", "", 11, width), "");
  assert.deepEqual(["Label_053_Person", "legalReference", "ORG", "人名", "x"].map(initials), ["L053P", "LR", "O", "人名", "X"]);
  assert.deepEqual(["שלום", "the", "12 שלום", ""].map(fromRight), [true, false, true, false]);
});
