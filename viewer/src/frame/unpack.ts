import { bytesOf, inflate } from "./decode";

/** The script of a page stands in it compressed: it is put into the page here, and the page's policy knows its hash. */
async function unpack(): Promise<void> {
  const packed = document.getElementById("code");
  if (!packed) return;
  const script = document.createElement("script");
  script.textContent = await inflate(bytesOf(packed.textContent ?? "")).text();
  packed.replaceWith(script);
}

void unpack();
