import { render } from "preact";
import { App } from "./app";
import { decode } from "./decode";
import { FORM, type Payload } from "./types";

/** The plain table stays until the page is there, and stays for good if it cannot be. */
async function start(): Promise<void> {
  const plain = document.getElementById("static");
  const root = document.getElementById("app");
  const data = document.getElementById("data");
  if (!root || !data) return;
  let payload: Payload;
  try {
    payload = await decode((data.textContent ?? "").trim());
  } catch {
    render(<p class="notice">The data in this file cannot be read. Was it cut off on its way?</p>, root);
    return;
  }
  if (payload.form > FORM) {
    render(<p class="notice">{`Made by Spanscope ${payload.spanscope}; this page reads payloads up to form ${FORM}.`}</p>, root);
    return;
  }
  data.remove();
  plain?.remove();
  render(<App payload={payload} />, root);
  performance.mark("spanscope:ready");
}

void start();
