import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** A box that scrolls where it is too narrow for its table, and then says so. */
export function Scroll({ name, class: own = "wide", children }: { name: string; class?: string; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const [cut, set] = useState(false);
  useLayoutEffect(() => {
    const element = box.current!;
    const look = () => set(element.scrollWidth > element.clientWidth + 1);
    const watch = new ResizeObserver(look);
    watch.observe(element);
    for (const inner of element.children) watch.observe(inner);
    return () => watch.disconnect();
  }, []);
  return (
    <>
      {cut && <p class="note sideways">Scroll sideways for more columns →</p>}
      <div class={`scroll ${own}`} tabIndex={0} role="region" aria-label={name} ref={box}>{children}</div>
    </>
  );
}
