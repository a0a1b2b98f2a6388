import { render, type ComponentType } from "preact";
import { bytesOf, decode } from "./decode";
import { FORM, type Framed } from "./types";

const LOST = "The data in this file cannot be read. Was it cut off on its way?";
export const UNSENT = "The server has no such page any more: it was deleted, or the server was started anew.";
export const SILENT = "The server does not answer; retrying.";
const AGAIN = 2000; // milliseconds

/** The bytes in the file; a page that a server shows asks it for them. */
async function load(text: string, root: Element): Promise<Uint8Array<ArrayBuffer>> {
  if (text) return bytesOf(text);
  for (;;) {
    const answer = await fetch("data").catch(() => null);
    if (answer?.status === 404) throw new Error(UNSENT);
    const data = answer?.ok && (await answer.arrayBuffer().catch(() => null));
    if (data) return new Uint8Array(data);
    render(<p class="notice" role="alert">{SILENT}</p>, root);
    await new Promise((done) => setTimeout(done, AGAIN));
  }
}

/** Show a page. The plain table stays until the page is there, and stays for good if it cannot be. */
export async function start<P extends Framed>(App: ComponentType<{ payload: P }>): Promise<void> {
  const root = document.getElementById("app");
  const data = document.getElementById("data");
  if (!root || !data) return;
  const text = (data.textContent ?? "").trim();
  let payload: P;
  try {
    payload = await decode<P>(await load(text, root));
  } catch (error) {
    render(<p class="notice">{!text && error instanceof Error && error.message === UNSENT ? UNSENT : LOST}</p>, root);
    return;
  }
  if (!text) payload.home = "../../"; // a page of a server: its list of runs
  if (payload.form > FORM) {
    render(<p class="notice">{`Made by Spanscope ${payload.spanscope}; this page reads payloads up to form ${FORM}.`}</p>, root);
    return;
  }
  data.remove();
  document.getElementById("static")?.remove();
  render(<App payload={payload} />, root);
  performance.mark("spanscope:ready");
}
