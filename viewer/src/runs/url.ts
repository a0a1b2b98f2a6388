import { join, number, split } from "../frame/place";

/** All that a link tells: the inputs, how they are scored, and the runs that are picked. */
export interface Place {
  page: string;
  gold: string | null; // ids of files
  preds: string[]; // several are several runs
  how: string; // "protocol:NAME", "measure:NAME", or "" for what the data ask for
  threshold: number | null; // in hundredths
  labels: string;
  locate: boolean; // the predictions are quotes
  text: string;
  name: string;
  more: Record<string, string>; // further options by name, as they are typed
  board: string | null; // whose leaderboard is shown: the beginning of what gold is
  sort: string; // the figure by which it is sorted; "" for what leads
  pick: string[];
}

const BOARD = /^[0-9a-f]{12}$/;
const ID = /^[fu]?[0-9a-f]{12,16}$/;

export function parse(hash: string): Place {
  const [, asked] = split(hash);
  const id = (key: string) => (ID.test(asked.get(key) ?? "") ? asked.get(key) : null);
  const hundredths = number(asked.get("t"), 101, -1);
  return {
    page: "runs",
    gold: id("gold"),
    preds: (asked.get("pred") ?? "").split(",").filter((one) => ID.test(one)),
    how: asked.get("how") ?? "",
    threshold: hundredths < 0 ? null : hundredths,
    labels: asked.get("labels") ?? "",
    locate: asked.get("locate") === "1",
    text: asked.get("text") ?? "",
    name: asked.get("name") ?? "",
    more: Object.fromEntries([...asked].flatMap(([key, value]) => (/^o\.[a-z_]+$/.test(key) && value ? [[key.slice(2), value]] : []))),
    board: BOARD.test(asked.get("board") ?? "") ? asked.get("board") : null,
    sort: asked.get("sort") ?? "",
    pick: (asked.get("pick") ?? "").split(",").filter((one) => ID.test(one)),
  };
}

export function format(place: Place): string {
  return join("runs", {
    gold: place.gold,
    pred: place.preds.length ? place.preds.join(",") : null,
    how: place.how || null,
    t: place.threshold === null ? null : String(place.threshold),
    labels: place.labels || null,
    locate: place.locate ? "1" : null,
    text: place.text || null,
    name: place.name || null,
    ...Object.fromEntries(Object.entries(place.more).map(([name, value]) => [`o.${name}`, value || null])),
    board: place.board,
    sort: place.sort || null,
    pick: place.pick.length ? place.pick.join(",") : null,
  });
}
