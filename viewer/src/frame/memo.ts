import { Component, h, type ComponentChild, type FunctionComponent } from "preact";

/** Draw again only where `same` says no. (Preact's own memo lives in its compatibility layer, four times the size.) */
export function memo<P extends object>(inner: FunctionComponent<P>, same: (a: P, b: P) => boolean): FunctionComponent<P> {
  class Kept extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      return !same(this.props as P, next as P);
    }
    override render(): ComponentChild {
      return h(inner, this.props as P);
    }
  }
  return Kept as unknown as FunctionComponent<P>;
}
