import { Interval } from "../frame/interval";
import { rate } from "../frame/format";
import type { Model } from "./model";

/** The methods, the best first: their letters on every page, and the figure that leads with its interval. */
export function Ranking({ model }: { model: Model }) {
  const { payload: p, corpus: c } = model;
  if (!p.ranking) return null;
  return (
    <section class="card">
      <h3>{`Ranking by ${p.leading}`}</h3>
      <table class="ranking">
        <thead class="hidden">
          <tr>{["Rank", "Method", p.leading, "0 to 1"].map((name) => <th key={name} scope="col">{name}</th>)}</tr>
        </thead>
        <tbody>
          {p.ranking.map(([side, value, low, high], i) => (
            <tr key={side} data-testid="ranked">
              <td>{i + 1}</td>
              <th scope="row"><Letter model={model} side={side} /><bdi>{c.methods[side]}</bdi></th>
              <td>{rate(value)}</td>
              <td class="bar"><Interval value={value} low={low} high={high} /></td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="note">
        {model.gold ? <>Each against <Letter model={model} side={0} /><bdi>{c.methods[0]}</bdi>.</> : "Each against all others, the mean of its figures."}
        {" Letters stand for the same segmentations on every page."}
      </p>
    </section>
  );
}

/** What a segmentation is called where there is no room for its name. */
export const Letter = ({ model, side }: { model: Model; side: number }) =>
  model.corpus.methods.length > 2 ? <span class="letter">{model.letters[side]}</span> : null;
