import assert from "node:assert/strict";
import { test } from "node:test";
import { asked } from "../src/runs/setup";
import type { File_, Job, Payload, Run } from "../src/runs/types";
import { format, parse } from "../src/runs/url";
import { hindrance, size, sorted, stage, when } from "../src/runs/words";
import { next } from "../src/spans/texts";

const file = (name: string, looks: File_["looks"]): File_ => ({ id: name, name, size: 1, modified: 0, looks });
const run = (id: string, alike: string | null): Run => ({
  id, alike, name: id, family: "spans", figure: null, documents: 1, when: 0, line: "", inputs: [], text: "full", opens: true,
});

test("a link is read as it was written", () => {
  const place = {
    page: "runs", gold: "f0123456789abcdef", pred: "u0123456789abcdef", how: "measure:spans.iou", threshold: 35,
    labels: "A, B&C", locate: true, text: "none", name: "ä 100%", pick: ["0123456789ab", "ba9876543210"],
  };
  assert.deepEqual(parse(format(place)), place);
});

test("what is no id in a link is left out", () => {
  const place = parse("#/runs?gold=../secret&pred=F0123456789ABCDEF&pick=a,0123456789ab,<b>&t=200");
  assert.deepEqual([place.gold, place.pred, place.pick, place.threshold], [null, null, ["0123456789ab"], null]);
});

test("dropped files go where their names say, the others where there is room", () => {
  const [gold, pred, a, b, kept] = [file("g", "gold"), file("p", "pred"), file("a", "data"), file("b", "data"), file("k", "result")];
  const free = { gold: false, pred: false };
  assert.deepEqual(sorted([pred, kept, gold], free), { gold, pred, results: [kept] });
  assert.deepEqual(sorted([a, b], free), { gold: a, pred: b, results: [] });
  assert.deepEqual(sorted([a, gold], free), { gold, pred: a, results: [] });
  assert.deepEqual(sorted([a], { gold: true, pred: false }), { gold: null, pred: a, results: [] });
  assert.deepEqual(sorted([pred], free), { gold: null, pred, results: [] });
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

test("what the form asks of the server", () => {
  const payload = { texts: ["masked", "none"] } as Payload;
  const place = { ...parse(""), gold: "g", how: "measure:spans.iou", threshold: 70, labels: "A, ,B" };
  assert.deepEqual(asked(payload, place), {
    gold: "g", pred: null, name: "", options: { text: "masked", measures: ["spans.iou"], threshold: 0.7, labels: ["A", "B"] },
  });
  assert.deepEqual(asked(payload, { ...place, how: "protocol:pii", labels: "" }).options, { text: "masked", protocol: "pii" });
  assert.equal(asked(payload, { ...place, locate: true }).options.locate, true);
});

test("the text that is looked at comes first, then the others in order", () => {
  const bounds = [0, 500, 1000, 1200];
  assert.equal(next(bounds, new Set(), 1100), 2);
  assert.equal(next(bounds, new Set([2]), 1100), 0);
  assert.equal(next(bounds, new Set([0, 2]), -1), 1);
  assert.equal(next(bounds, new Set([0, 1, 2]), 3), -1);
});
