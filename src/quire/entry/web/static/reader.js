// A source beside the answer: what a link leads to, in a dialog, with the cited passage in sight.

import { pageAt } from "./calls.js";

const dialog = document.getElementById("reader");
const about = document.getElementById("about");
const reading = document.getElementById("reading");

async function show(address) {
  const page = await pageAt(address);
  const source = page.getElementById("source");
  about.replaceChildren(source.querySelector("header"));
  reading.replaceChildren(source);
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  const passage = source.querySelector("#passage");
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
}
