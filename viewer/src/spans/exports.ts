import type { Export } from "../frame/exports";
import { plural } from "../frame/format";
import { say } from "../frame/said";
import { corrections } from "./corrections";
import { tells } from "./finding";
import type { Model, View } from "./model";
import { listing } from "./out";

const LINES = "application/jsonl";

/** What the list of errors can save: what is listed, and what was flagged. */
export function exportsOf(model: Model, view: View): Export[] {
  const { found, verdicts, coming, flags } = view;
  if (!found || !verdicts) return [];
  const whole = (text: () => string) => () => {
    if (!tells(model) || !coming.left) return text();
    say("Texts are still on their way: try again");
    return null;
  };
  const rows = plural(found.rows.length, "finding");
  const list = (id: string, name: string, csv: boolean): Export => ({
    id: `list-${id}`, name: `${rows} as listed, ${name}`, file: `-findings.${id}`, type: csv ? "text/csv" : LINES, text: whole(() => listing(model, verdicts, found.rows, csv)),
  });
  const flagged: Export = {
    id: "corrections", name: `Corrections from ${plural(flags.size, "flag")}`, file: "-corrections.jsonl", type: LINES, text: whole(() => corrections(model, flags)),
  };
  return [list("csv", "CSV", true), list("jsonl", "JSON Lines", false), ...(flags.size ? [flagged] : [])];
}
