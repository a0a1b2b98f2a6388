import { seek } from "../frame/format";
import { useState } from "preact/hooks";
import { List } from "../frame/list";
import type { File_, Lists } from "./types";
import { size, when } from "./words";

const LOOKS = { gold: "gold", pred: "predictions", result: "result", data: "" };

interface Props {
  lists: Lists;
  ready: boolean;
  gold: string | null;
  preds: string[];
  choose: (side: "gold" | "pred", file: File_) => void;
  add: (file: File_) => void;
  drop: (file: File_) => void;
}

/** What is in the folder, and what was uploaded: choose one, then say what it is. */
export function Files({ lists, ready, gold, preds, choose, add, drop }: Props) {
  const [word, setWord] = useState("");
  const [chosen, setChosen] = useState<string | null>(null);
  const all = [...lists.uploads, ...lists.files].filter((file) => file.name.toLowerCase().includes(word.toLowerCase()));
  const current = all.findIndex((file) => file.id === chosen);
  const file = all[current];
  const uploads = new Set(lists.uploads.map((one) => one.id));
  const move = (by: number) => setChosen(all[Math.min(all.length - 1, Math.max(0, current + by))]?.id ?? null);
  const role = (id: string) => (id === gold ? "gold" : preds.includes(id) ? "predictions" : null);
  return (
    <section class="files" aria-label="Files">
      <div class="head">
        <h2>Files</h2>
        <span class="note">{lists.more ? `The first ${lists.files.length} of the folder; there are more.` : ""}</span>
        <label class="hidden" for="find">Find a file</label>
        <input id="find" type="search" placeholder={seek("find")} autocomplete="off" value={word} onInput={(event) => setWord(event.currentTarget.value)} />
        {file && uploads.has(file.id) && <button class="tool" data-testid="drop-upload" onClick={() => drop(file)}>Remove<span class="hidden">{` the upload ${file.name}`}</span></button>}
        {file?.looks === "result" ? (
          <button class="tool" data-testid="add" onClick={() => add(file)}>Add to runs</button>
        ) : (
          <>
            <button class="tool" data-testid="as-gold" disabled={!file} onClick={() => file && choose("gold", file)}>Use as gold</button>
            <button class="tool" data-testid="as-pred" disabled={!file} onClick={() => file && choose("pred", file)}>Use as predictions</button>
          </>
        )}
      </div>
      {all.length ? (
        <List
          label="Files"
          rows={all.length}
          current={current}
          move={move}
          id={(i) => `file-${all[i].id}`}
          draw={(i) => (
            <div
              key={all[i].id}
              id={`file-${all[i].id}`}
              class="row"
              role="option"
              data-testid="listed"
              aria-selected={i === current}
              aria-posinset={i + 1}
              aria-setsize={all.length}
              onClick={() => setChosen(all[i].id)}
              onDblClick={() => (all[i].looks === "result" ? add(all[i]) : choose(all[i].looks === "gold" || (all[i].looks === "data" && !gold) ? "gold" : "pred", all[i]))}
            >
              <bdi class="file" title={all[i].name}>{all[i].name}</bdi>
              <span class="looks">{role(all[i].id) ? <b>{`▸ ${role(all[i].id)}`}</b> : LOOKS[all[i].looks]}</span>
              <span class="from">{uploads.has(all[i].id) ? "uploaded" : "folder"}</span>
              <span class="size">{size(all[i].size)}</span>
              <span class="when">{when(all[i].modified)}</span>
            </div>
          )}
        />
      ) : (
        <div class="empty">
          <p>{!ready ? "Looking …" : word ? "No file has these letters in its name." : lists.there ? "No data files in this folder." : "The folder is not there any more, or may not be read."}</p>
          {ready && !word && lists.there && <p class="note">JSON, JSON Lines, CoNLL, TREC, also .gz. Hidden files and links are never shown.</p>}
        </div>
      )}
    </section>
  );
}
