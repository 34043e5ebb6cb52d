// Forms that name a call of the API: they make it, and the page stays as it is. Without a script they post by themselves.

import { call, tell } from "./calls.js";

export function forms(refresh, reader) {
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.matches("form[data-call]")) return;
    event.preventDefault();
    const place = form.closest("section, dialog");
    const problem = place.querySelector(".problem");
    const button = form.querySelector("button");
    const row = form.closest("li[data-id]")?.dataset.id;
    button.disabled = true;
    tell(problem, "");
    try {
      const made = await call(form.dataset.call, values(form));
      await done(form, made, refresh, reader);
    } catch (error) {
      tell(problem, error.message);
    } finally {
      button.disabled = false;
    }
    if (document.activeElement === document.body) stay(place, row);
  });
}

// What was typed and chosen, and what the form brings along. Of fields that are a kind's own, those of the one chosen.
function values(form) {
  const given = { ...JSON.parse(form.dataset.more) };
  for (const [name, value] of new FormData(form)) {
    const [kind, own] = name.split(".");
    if (own && kind !== form.elements.kind.value) continue;
    if (!(name in given) && (value || name === "content")) given[own ?? name] = value;
  }
  return given;
}

const THEN = {
  emptied(form) {
    form.reset();
    form.closest("details").open = false;
  },
  link(form, made) {
    const field = form.querySelector(".link");
    field.value = made.url;
    field.hidden = false;
    field.select();
  },
  closed: (form, made, reader) => reader.close(),
  shown: (form, made, reader) => reader.again(),
};

async function done(form, made, refresh, reader) {
  const then = form.dataset.then;
  if (then === "link") return THEN.link(form, made);
  await refresh();
  await THEN[then]?.(form, made, reader);
}

// What had the focus is gone: it stays where it was, as near as can be.
function stay(place, row) {
  const near = [...place.querySelectorAll("li[data-id]")].find((one) => one.dataset.id === row);
  (near?.querySelector("a, summary") ?? place.querySelector(".adding > summary") ?? place.querySelector("summary"))?.focus();
}
