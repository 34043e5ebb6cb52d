// A source, a note or an artifact beside the questions: what a link leads to, in a dialog, with the cited passage in sight.

import { pageAt } from "./calls.js";

const dialog = document.getElementById("reader");
const about = document.getElementById("about");
const reading = document.getElementById("reading");
let address = "";

async function show(link) {
  const page = await pageAt(link);
  const shown = page.getElementById("shown");
  address = link;
  dialog.classList.toggle("wide", /shown-(page|document|picture|video|text)/.test(shown.className));
  about.replaceChildren(shown.querySelector("header"));
  reading.replaceChildren(shown);
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  const passage = shown.querySelector("#passage");
  passage?.scrollIntoView({ block: "center" });
  passage?.focus({ preventScroll: true });
}

export function opening() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a.opens");
    const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey && event.button === 0;
    if (!link || !plain) return;
    event.preventDefault();
    show(link.href).catch(() => location.assign(link.href));
  });
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  // What is heard ends with what is seen.
  dialog.addEventListener("close", () => reading.replaceChildren());
  return { again: () => show(address), close: () => dialog.close() };
}
