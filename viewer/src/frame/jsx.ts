/** What the markup in the .tsx files is turned into; put into every module by the build. */
export { Fragment, h } from "preact";
