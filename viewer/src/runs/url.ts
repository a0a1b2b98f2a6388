import { join, number, split } from "../frame/place";

/** All that a link tells: the inputs, how they are scored, and the runs that are picked. */
export interface Place {
  page: string;
  gold: string | null; // ids of files
  pred: string | null;
  how: string; // "protocol:NAME", "measure:NAME", or "" for what the data ask for
  threshold: number | null; // in hundredths
  labels: string;
  locate: boolean; // the predictions are quotes
  text: string;
  name: string;
  pick: string[];
}

const ID = /^[fu]?[0-9a-f]{12,16}$/;

export function parse(hash: string): Place {
  const [, asked] = split(hash);
  const id = (key: string) => (ID.test(asked.get(key) ?? "") ? asked.get(key) : null);
  const hundredths = number(asked.get("t"), 101, -1);
  return {
    page: "runs",
    gold: id("gold"),
    pred: id("pred"),
    how: asked.get("how") ?? "",
    threshold: hundredths < 0 ? null : hundredths,
    labels: asked.get("labels") ?? "",
    locate: asked.get("locate") === "1",
    text: asked.get("text") ?? "",
    name: asked.get("name") ?? "",
    pick: (asked.get("pick") ?? "").split(",").filter((one) => ID.test(one)),
  };
}

export function format(place: Place): string {
  return join("runs", {
    gold: place.gold,
    pred: place.pred,
    how: place.how || null,
    t: place.threshold === null ? null : String(place.threshold),
    labels: place.labels || null,
    locate: place.locate ? "1" : null,
    text: place.text || null,
    name: place.name || null,
    pick: place.pick.length ? place.pick.join(",") : null,
  });
}
