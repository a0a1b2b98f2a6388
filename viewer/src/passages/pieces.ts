export interface Marked {
  from: number;
  to: number;
  gold: number;
}

export interface Piece {
  text: string;
  golds: number[]; // whose answers it is part of
  last: boolean; // an answer ends with it
}

/** A text cut where marks begin and end; nothing is lost, nothing comes twice. */
export function pieces(text: string, marks: Marked[]): Piece[] {
  const inside = marks.map((mark) => ({ ...mark, from: Math.max(0, mark.from), to: Math.min(text.length, mark.to) })).filter((mark) => mark.from < mark.to);
  const edges = [...new Set([0, text.length, ...inside.flatMap((mark) => [mark.from, mark.to])])].sort((a, b) => a - b);
  const out: Piece[] = [];
  for (let i = 0; i + 1 < edges.length; i++) {
    const own = inside.filter((mark) => mark.from <= edges[i] && mark.to >= edges[i + 1]);
    const golds = [...new Set(own.map((mark) => mark.gold))];
    out.push({ text: text.slice(edges[i], edges[i + 1]), golds, last: own.some((mark) => mark.to === edges[i + 1]) });
  }
  return out;
}
