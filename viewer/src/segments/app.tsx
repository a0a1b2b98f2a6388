import { useMemo } from "preact/hooks";
import { About } from "../frame/about";
import { Cards, Scores } from "../frame/cards";
import { Frame, type Sheet } from "../frame/frame";
import { join, split, usePlace, type Links } from "../frame/place";
import { Tables } from "../frame/tables";
import type { Payload } from "./types";

interface Place {
  page: string;
}

const PAGES = ["overview", "about"];

const links: Links<Place> = {
  parse: (hash) => ({ page: PAGES.find((page) => page === split(hash)[0]) ?? "overview" }),
  format: ({ page }) => join(page, {}),
};

export function App({ payload }: { payload: Payload }) {
  const [place, go] = usePlace(links);
  const sheets: Sheet[] = useMemo(
    () => [
      { id: "overview", name: "Overview", body: () => <Overview payload={payload} /> },
      { id: "about", name: "About", body: () => <About payload={payload} /> },
    ],
    [payload],
  );
  return <Frame payload={payload} sheets={sheets} page={place.page} go={(page) => go({ page })} figures={<Scores payload={payload} />} />;
}

function Overview({ payload }: { payload: Payload }) {
  return (
    <div class="overview">
      <h2 class="hidden">Overview</h2>
      <Cards payload={payload} />
      <Tables payload={payload} />
    </div>
  );
}
