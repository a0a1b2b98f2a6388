import { plural, rate, title, nounsOf } from "../frame/format";
import { Figure, Figures } from "../frame/frame";
import { Verdict } from "../frame/verdict";
import { average, pValue, signed } from "./format";
import { sides, type Model, type View } from "./model";
import { headLine } from "./rows";
import { readingSign } from "./signs";

/** The headline figure of both runs, and what the difference says. */
export function Head({ model, view }: { model: Model; view: View }) {
  const { payload } = model;
  const line = headLine(payload, view.place.run);
  if (!line) return null;
  const [first, second] = sides(model, view);
  return (
    <Figures>
      <Figure name={first} value={rate(line.base)} id="was" />
      <Figure name={second} value={rate(line.value)} id="is" />
      <Figure name={`Δ ${title(line.rate)} ${average(line.average, payload.family)}`} value={signed(line.difference)} id="difference" />
      <Figure name="p" value={pValue(line.adjusted)} id="p" />
      <Figure name={`${readingSign(line.reading)} Reading`} value={line.reading} id="reading" />
    </Figures>
  );
}

const READS: Record<string, string> = { better: "is better than", worse: "is worse than", same: "equals", higher: "is higher than", lower: "is lower than" };

/** The same in words. */
export function Says({ model, view }: { model: Model; view: View }) {
  const { payload: p } = model;
  const line = headLine(p, view.place.run);
  const [first, second] = sides(model, view);
  const known = line && line.low !== null && line.high !== null;
  const level = Number((p.ci.level * 100).toFixed(2));
  const problems = p.problems.map(({ run, kind, number }) => ({ number, kind: `${kind} (${run})` }));
  const files = [p.gold.path, ...p.runs.flatMap((run) => run.files.map((file) => file.path))];
  return (
    <Verdict payload={{ ...p, problems }} leads={[]} files={files}>
      {line && (
        <>
          <p class="large">
            <span class={`glyph ${line.reading}`} aria-hidden="true">{readingSign(line.reading)}</span>
            <bdi>{second}</bdi> {READS[line.reading] ?? "does not clearly differ from"} <bdi>{first}</bdi>
            {` in ${title(line.rate)} (${average(line.average, p.family)}, ${plural(p.documents, ...nounsOf(p.family))})`}
            {known && `; the ${level} % interval of the difference is ${signed(line.low)} to ${signed(line.high)}`}.
          </p>
          <Head model={model} view={view} />
        </>
      )}
    </Verdict>
  );
}
