// The page's lists of sources, artifacts and notes, kept as the server has them.

import { pageAt, tell } from "./calls.js";

const LISTS = ["sources", "artifacts", "kept"];

// Only what changed is replaced, so that the focus, what is open and what is heard stay.
function patch(list, fresh) {
  const old = new Map([...list.children].map((one) => [one.dataset.id, one]));
  const rows = [...fresh.children];
  for (const [id, one] of old) if (!rows.some((row) => row.dataset.id === id)) one.remove();
  const said = [];
  rows.forEach((row, place) => {
    const known = old.get(row.dataset.id);
    if (known?.dataset.mark === row.dataset.mark) return;
    if (known) known.replaceWith(row);
    else list.insertBefore(row, list.children[place] ?? null);
    if (row.dataset.state && known?.dataset.state !== row.dataset.state) {
      said.push(`${row.querySelector(".name").textContent}: ${row.querySelector(".state").textContent}`);
    }
  });
  if (said.length) list.closest("section").querySelector(".told").textContent = said.join(". ");
}

function enable() {
  const some = document.querySelector("#sources > li") !== null;
  for (const one of document.querySelectorAll("#question, #ask > button")) one.disabled = !some;
  document.querySelector("#begin .with-sources").hidden = !some;
  document.querySelector("#begin .without-sources").hidden = some;
}

async function load(notebook) {
  const query = new URLSearchParams(location.search);
  query.set("conversation", "new");
  query.delete("cursor");
  const page = await pageAt(`/notebooks/${encodeURIComponent(notebook)}?${query}`);
  for (const id of LISTS) {
    const list = document.getElementById(id);
    if (!list) continue;
    const fresh = page.getElementById(id);
    list.closest("section").querySelector("[data-count]").textContent =
      fresh.closest("section").querySelector("[data-count]").textContent;
    patch(list, fresh);
  }
  document.querySelector("h1").replaceWith(page.querySelector("h1"));
  enable();
}

// Many changes at once are loaded once: while one load runs, one more waits at most.
export function refresher(notebook) {
  const problem = document.getElementById("adding-problem");
  let running = null;
  let waiting = null;
  let failed = false;
  const refresh = () => {
    if (running) {
      waiting ??= running.then(() => {
        waiting = null;
        return refresh();
      });
      return waiting;
    }
    running = load(notebook)
      .then(() => {
        if (failed) tell(problem, "");
        failed = false;
      })
      .catch((error) => {
        failed = true;
        tell(problem, error.message);
      })
      .finally(() => (running = null));
    return running;
  };
  return refresh;
}
