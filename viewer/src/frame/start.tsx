import { render, type ComponentType } from "preact";
import { bytesOf, decode } from "./decode";
import { FORM, type Framed } from "./types";

const LOST = "The data in this file cannot be read. Was it cut off on its way?";
const UNSENT = "The server did not send the data of this page. Is it still running?";

/** The bytes in the file; a page that a server shows asks it for them. */
async function load(data: Element): Promise<Uint8Array<ArrayBuffer>> {
  const text = (data.textContent ?? "").trim();
  if (text) return bytesOf(text);
  const answer = await fetch("data");
  if (!answer.ok) throw new Error(UNSENT);
  return new Uint8Array(await answer.arrayBuffer());
}

/** Show a page. The plain table stays until the page is there, and stays for good if it cannot be. */
export async function start<P extends Framed>(App: ComponentType<{ payload: P }>): Promise<void> {
  const root = document.getElementById("app");
  const data = document.getElementById("data");
  if (!root || !data) return;
  let payload: P;
  try {
    payload = await decode<P>(await load(data));
  } catch (error) {
    render(<p class="notice">{location.protocol === "file:" || !(error instanceof Error) ? LOST : `${UNSENT} (${error.message})`}</p>, root);
    return;
  }
  if (payload.form > FORM) {
    render(<p class="notice">{`Made by Spanscope ${payload.spanscope}; this page reads payloads up to form ${FORM}.`}</p>, root);
    return;
  }
  data.remove();
  document.getElementById("static")?.remove();
  render(<App payload={payload} />, root);
  performance.mark("spanscope:ready");
}
