import { Scores as Headline } from "../frame/cards";
import { count, rate, title } from "../frame/format";
import { Figure, Figures } from "../frame/frame";
import { lead, stepName, type Model, type View } from "./model";

const COUNTS = [["tp", "TP"], ["pred", "Predicted"], ["gold", "Gold"]] as const;

/** The figures at the slider's step; where no spans are in the file, those of the headline measure. */
export function Scores({ model, view }: { model: Model; view: View }) {
  const { corpus, leaks, quotes } = model.payload;
  if (!corpus) return <Headline payload={model.payload} />;
  const at = corpus.whole[view.place.step];
  const main = lead(model.payload);
  return (
    <Figures>
      {corpus.steps.length > 1 && <Figure name="Threshold" value={stepName(corpus, view.place.step)} id="step" />}
      <Figure name={title(main)} value={rate(at.value)} id={main} />
      {(["precision", "recall"] as const).map((id) => <Figure key={id} name={title(id)} value={rate(at[id])} id={id} />)}
      {COUNTS.map(([id, name]) => <Figure key={id} name={name} value={String(at[id])} id={id} />)}
      {leaks && <Figure name="Leaked characters" value={count(leaks.whole[0])} id="leaked" />}
      {quotes && <Figure name="Quotes not found" value={count(quotes.counts.not_found)} id="not-found" />}
    </Figures>
  );
}
