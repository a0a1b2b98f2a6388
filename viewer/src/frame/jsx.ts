import { h as create, type ComponentChildren, type VNode } from "preact";

export { Fragment } from "preact";

/** What the markup in the .tsx files is turned into; put into every module by the build, which writes "td.left" for a td of a class. */
export function h(type: string, props: Record<string, unknown> | null, ...children: ComponentChildren[]): VNode {
  const dot = typeof type === "string" ? type.indexOf(".") : -1;
  return dot < 0 ? create(type, props, ...children) : create(type.slice(0, dot), { ...props, class: type.slice(dot + 1) }, ...children);
}
