import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { save } from "./exports";

const KEPT = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-family", "font-size", "font-weight"];

function set(element: Element, values: Record<string, string | number>): void {
  for (const name in values) element.setAttribute(name, String(values[name]));
}

/** A drawing that stands alone: every style that the page gives it written out, on the page's own background. */
export function alone(svg: SVGSVGElement): { text: string; width: number; height: number } {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const made = [...copy.querySelectorAll<SVGElement>("*")];
  svg.querySelectorAll("*").forEach((element, i) => {
    const style = getComputedStyle(element);
    made[i].removeAttribute("class");
    made[i].setAttribute("style", KEPT.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";"));
  });
  const { x, y, width, height } = svg.viewBox.baseVal;
  const back = document.createElementNS(svg.namespaceURI, "rect");
  const fill = getComputedStyle(document.body).backgroundColor;
  set(back, { x, y, width, height, fill });
  copy.prepend(back);
  set(copy, { width, height });
  return { text: new XMLSerializer().serializeToString(copy), width, height };
}

const SHARPER = 2; // pixels of the PNG for one of the drawing

async function savePng(svg: SVGSVGElement, name: string): Promise<void> {
  const { text, width, height } = alone(svg);
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * SHARPER;
  canvas.height = height * SHARPER;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const link = document.createElement("a");
  link.href = canvas.toDataURL();
  link.download = `${name}.png`;
  link.click();
}

/** Under a chart: its numbers as a table (`table`, drawn once it is opened), and the chart as a file. */
export function Chart({ name, says, table, class: own = "", children }: {
  name: string; // of the files
  says: string; // what the table is called
  table: ComponentChildren;
  class?: string;
  children: ComponentChildren; // an svg with a viewBox, and what stands beside it
}) {
  const box = useRef<HTMLElement>(null);
  const svg = () => box.current!.querySelector<SVGSVGElement>("svg[viewBox]")!;
  return (
    <figure class={`chart ${own}`} ref={box}>
      {children}
      <div class="under">
        <details>
          <summary>{says}</summary>
          {table}
        </details>
        <span role="group" aria-label={`${says}: save the picture`}>
          <button class="link" onClick={() => save(alone(svg()).text, `${name}.svg`, "image/svg+xml")}>SVG</button>
          <button class="link" onClick={() => savePng(svg(), name)}>PNG</button>
        </span>
      </div>
    </figure>
  );
}
