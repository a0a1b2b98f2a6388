import { build, type Corpus } from "../src/spans/corpus";
import type { RawCorpus, Runs, Spans } from "../src/spans/types";

/**
 * Two documents, labels A (0) and B (1), three steps. By hand:
 *
 *   document 0   gold 0: A 0-5, matched by prediction 0 (A 0-4) at steps 0 and 1, a boundary error at step 2
 *                gold 1: B 6-9, against prediction 1 (A 6-9): a type error at every step
 *                prediction 2: B 10-12, spurious at every step
 *   document 1   gold 2: A 0-3, missing
 *                gold 3: A 4-6, not counted: no run at all
 */
const ints = (columns: Record<string, number[]>) =>
  Object.fromEntries(Object.entries(columns).map(([key, values]) => [key, Int32Array.from(values)]));

export function small(): Corpus {
  const raw: RawCorpus = {
    embedded: 2,
    total: 2,
    names: ["one", "two"],
    texts: ["Alpha bet x yy ends here", "Sea to sky"],
    gold: ints({ doc: [0, 0, 1, 1], start: [0, 6, 0, 4], end: [5, 9, 3, 6], label: [0, 1, 0, 0], start16: [0, 6, 0, 4], end16: [5, 9, 3, 6] }) as unknown as Spans,
    pred: ints({ doc: [0, 0, 0], start: [0, 6, 10], end: [4, 9, 12], label: [0, 0, 1], start16: [0, 6, 10], end16: [4, 9, 12] }) as unknown as Spans,
    steps: [0, 0.5, 1],
    at: 1,
    whole: [],
    by_label: [],
    gold_runs: ints({ first: [0, 2, 3, 4, 4], from: [0, 2, 0, 0], kind: [0, 1, 2, 8], pred: [0, 0, 1, -1] }) as unknown as Runs,
    pred_runs: ints({ first: [0, 1, 2, 3], from: [0, 0, 0], kind: [-1, -1, 7] }) as unknown as Runs,
    ways: {
      0: { by: "source", names: ["news", "mail"], meant: [0, 1], doc: Int32Array.from([0, 1]), gold: null, pred: null },
      1: { by: "@length", names: ["short", "long"], meant: [0, 1], doc: null, gold: Int32Array.from([1, 0, 0, 0]), pred: Int32Array.from([0, 1, 0]) },
    },
  };
  return build(raw);
}

export const KINDS = ["correct", "boundary", "type", "boundary+type", "split", "merge", "duplicate", "spurious", "missing"];
