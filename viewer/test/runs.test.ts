import assert from "node:assert/strict";
import { test } from "node:test";
import { asked } from "../src/runs/setup";
import { columns, golds, ranked } from "../src/runs/ranking";
import type { File_, Job, Option, Payload, Run } from "../src/runs/types";
import { format, parse } from "../src/runs/url";
import { filled, tried, valueOf } from "../src/runs/values";
import { hindrance, size, sorted, stage, when } from "../src/runs/words";
import { next } from "../src/spans/texts";

const file = (name: string, looks: File_["looks"]): File_ => ({ id: name, name, size: 1, modified: 0, looks });
const run = (id: string, alike: string | null): Run => ({
  id, alike, name: id, family: "spans", figure: null, documents: 1, when: 0, line: "", inputs: [], text: "full", opens: true, note: "", figures: [], gold: null, closed: null,
});

const option = (name: string, form: Option["form"] = "text", sides = false): Option => ({
  name, form, sides, title: name, says: "", usual: "", example: "", choices: [], families: [], group: "scoring",
});

test("a link is read as it was written", () => {
  const place = {
    page: "runs", gold: "f0123456789abcdef", preds: ["u0123456789abcdef", "f0123456789abcdef"], how: "measure:spans.iou", threshold: 35,
    labels: "A, B&C", locate: true, text: "none", name: "ä 100%", more: { missing: "empty", gold_fields: "label=a b, id=ä" }, board: "0123456789ab", sort: "spans.exact f1 micro",
    pick: ["0123456789ab", "ba9876543210"],
  };
  assert.deepEqual(parse(format(place)), place);
});

test("what is no id in a link is left out", () => {
  const place = parse("#/runs?gold=../secret&pred=F0123456789ABCDEF&pick=a,0123456789ab,<b>&t=200");
  assert.deepEqual([place.gold, place.preds, place.pick, place.threshold], [null, [], ["0123456789ab"], null]);
});

test("dropped files go where their names say, the others where there is room", () => {
  const [gold, pred, a, b, kept] = [file("g", "gold"), file("p", "pred"), file("a", "data"), file("b", "data"), file("k", "result")];
  const free = { gold: false, pred: false };
  assert.deepEqual(sorted([pred, kept, gold], free), { gold, preds: [pred], results: [kept] });
  assert.deepEqual(sorted([a, b], free), { gold: a, preds: [b], results: [] });
  assert.deepEqual(sorted([a, gold], free), { gold, preds: [a], results: [] });
  assert.deepEqual(sorted([a], { gold: true, pred: false }), { gold: null, preds: [a], results: [] });
  assert.deepEqual(sorted([pred], free), { gold: null, preds: [pred], results: [] });
  assert.deepEqual(sorted([a, pred, gold, b], free), { gold, preds: [a, pred, b], results: [] });
});

test("only runs that are alike can be compared", () => {
  assert.equal(hindrance([run("a", "x"), run("b", "x")]), null);
  assert.match(hindrance([run("a", "x")]) ?? "", /two/);
  assert.match(hindrance([run("a", "x"), run("b", "y")]) ?? "", /another gold/);
  assert.match(hindrance([run("a", null), run("b", null)]) ?? "", /segmentations/);
});

test("sizes, times and stages", () => {
  assert.deepEqual([12, 27881, 200_000_000, 1_500_000_000].map(size), ["12 B", "27.9 KB", "200 MB", "1.5 GB"]);
  const then = new Date(2026, 10, 16, 7, 5);
  assert.equal(when(then.getTime() / 1000, new Date(2026, 10, 16, 23, 0)), "07:05");
  assert.equal(when(then.getTime() / 1000, new Date(2026, 10, 17)), "2026-11-16 07:05");
  const job = { state: "running", stage: "scoring", at: 1000, of: 9000 } as Job;
  assert.equal(stage(job), "scoring, 1\u2009000 of 9\u2009000");
  assert.equal(stage({ ...job, stage: "reading gold" }), "reading gold, 1 KB of 9 KB");
  assert.equal(stage({ ...job, state: "waiting" }), "waits for its turn");
});

const payload = { texts: ["masked", "none"], further: [option("missing"), option("k", "cutoffs"), option("fields", "pairs", true)] } as Payload;

test("what the form asks of the server", () => {
  const place = { ...parse(""), gold: "g", how: "measure:spans.iou", threshold: 70, labels: "A, ,B" };
  assert.deepEqual(asked(payload, place, null), {
    gold: "g", pred: null, name: "", options: { text: "masked", measures: ["spans.iou"], threshold: 0.7, labels: ["A", "B"] },
  });
  assert.deepEqual(asked(payload, { ...place, how: "protocol:pii", labels: "" }, null).options, { text: "masked", protocol: "pii" });
  assert.equal(asked(payload, { ...place, locate: true }, null).options.locate, true);
});

test("further options are told as their form says, and of which side", () => {
  const more = { missing: "empty", k: "1, 5", pred_fields: "label=category, id=key", unknown: "x" };
  const place = { ...parse(""), more };
  const { options } = asked(payload, place, "p") as { options: Record<string, unknown> };
  assert.deepEqual(options, { text: "masked", missing: "empty", k: [1, 5], pred_fields: { label: "category", id: "key" } });
  assert.deepEqual(filled(payload, { gold: "g", pred: "p", options }), {
    gold: "g", preds: ["p"], how: "", threshold: null, labels: "", text: "", locate: false,
    more: { missing: "empty", k: "1, 5", pred_fields: "label=category, id=key" },
  });
  assert.deepEqual(filled(payload, { options: { measures: ["spans.iou(threshold=0.7)"], labels: ["A", "B"], text: "none" } }), {
    gold: null, preds: [], how: "measure:spans.iou", threshold: 70, labels: "A, B", text: "none", locate: false, more: {},
  });
  assert.equal(valueOf("number", "much"), "much");
});

test("what an error proposes changes the form, or opens the field", () => {
  const place = { ...parse(""), gold: "g", preds: ["p"] };
  const one = (option: string, value: string | null, begun = "") => tried(place, { say: "", option, value, begun });
  assert.deepEqual(one("missing", "empty"), { change: { more: { missing: "empty" } }, focus: null });
  assert.deepEqual(one("swap", null), { change: { gold: "p", preds: ["g"] }, focus: null });
  assert.deepEqual(one("fields", null, "label="), { change: { more: { fields: "label=" } }, focus: "o-fields" });
  assert.deepEqual(one("labels", null), { change: {}, focus: "labels" });
  assert.deepEqual(one("protocol", "trec"), { change: { how: "protocol:trec", threshold: null }, focus: null });
});

test("runs of one gold are ranked by a figure; equal ones share a rank, those without it have none", () => {
  const figure = (value: number | null, better: "higher" | "lower" = "higher") => ({ measure: "m", rate: "r", average: "micro", value, low: null, high: null, better });
  const of = (id: string, value: number | null, better?: "lower") => ({ ...run(id, "x"), gold: "0123456789abcdef", figures: [figure(value, better)] });
  const runs = [of("a", 0.5), of("b", 0.7), of("c", 0.7), { ...of("d", 0), figures: [] }, of("e", null)];
  const [column] = columns(runs);
  assert.deepEqual(ranked(runs, column).map((one) => [one.run.id, one.rank]), [["b", 1], ["c", 1], ["a", 3], ["d", null], ["e", null]]);
  const low = [of("a", 0.5, "lower"), of("b", 0.2, "lower")];
  assert.deepEqual(ranked(low, columns(low)[0]).map((one) => one.run.id), ["b", "a"]);
  assert.deepEqual(golds([...runs, run("z", null)]).map((one) => [one.key, one.runs.length]), [["0123456789ab", 4]]);
});

test("the text that is looked at comes first, then the others in order", () => {
  const bounds = [0, 500, 1000, 1200];
  assert.equal(next(bounds, new Set(), 1100), 2);
  assert.equal(next(bounds, new Set([2]), 1100), 0);
  assert.equal(next(bounds, new Set([0, 2]), -1), 1);
  assert.equal(next(bounds, new Set([0, 1, 2]), 3), -1);
});
