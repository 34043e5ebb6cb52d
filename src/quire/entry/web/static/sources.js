// The list of sources, kept as the server has it.

import { call, pageAt, tell } from "./calls.js";

const list = document.getElementById("sources");
const told = document.getElementById("told");

// Only what changed is replaced, so that the focus and what is open stay.
function patch(fresh) {
  const old = new Map([...list.children].map((one) => [one.dataset.id, one]));
  const said = [];
  for (const one of [...fresh.children]) {
    const known = old.get(one.dataset.id);
    old.delete(one.dataset.id);
    if (known?.dataset.mark === one.dataset.mark) continue;
    if (known) known.replaceWith(one);
    else list.append(one);
    if (known?.dataset.state !== one.dataset.state) {
      said.push(`${one.querySelector(".name").textContent}: ${one.querySelector(".state").textContent}`);
    }
  }
  for (const gone of old.values()) gone.remove();
  if (said.length) told.textContent = said.join(". ");
}

function enable() {
  const some = list.children.length > 0;
  for (const one of document.querySelectorAll("#question, #ask > button")) one.disabled = !some;
  document.querySelector("#begin .with-sources").hidden = !some;
  document.querySelector("#begin .without-sources").hidden = some;
}

async function load(notebook) {
  const page = await pageAt(`/notebooks/${encodeURIComponent(notebook)}?conversation=new`);
  patch(page.getElementById("sources"));
  for (const id of ["count", "kept"]) document.getElementById(id).replaceWith(page.getElementById(id));
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
  list.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { id } = event.target.closest("[data-id]").dataset;
    try {
      await call("/api/source/delete", { source_id: id });
      tell(problem, "");
    } catch (error) {
      tell(problem, error.message);
    }
    await refresh();
    if (document.activeElement === document.body) document.querySelector("#adding > summary").focus();
  });
  return refresh;
}
