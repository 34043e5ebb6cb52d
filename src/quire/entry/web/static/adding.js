// Adding sources: a text, an address, and files by button or by dropping them on the page.

import { call, send, tell } from "./calls.js";

const form = document.getElementById("add");
const fold = document.getElementById("adding");
const uploads = document.getElementById("uploads");
const problem = document.getElementById("adding-problem");
const field = form?.elements;

export function adding(notebook, refresh) {
  const files = queue(notebook, refresh);
  field.file.multiple = true;
  form.classList.add("at-once");
  form.querySelector(".scripted").hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const kind = field.kind.value;
    if (kind === "file") choose(files);
    else await add(notebook, kind, refresh);
  });
  field.file.addEventListener("change", () => choose(files));
  field.url.addEventListener("change", () => {
    const typed = field.url.value.trim();
    if (typed && !/^[a-z][a-z0-9+.-]*:/i.test(typed)) field.url.value = `https://${typed}`;
  });
  dropping(files);
}

async function add(notebook, kind, refresh) {
  const button = form.querySelector("button");
  const body = { notebook_id: notebook, source_type: kind, [kind]: field[kind].value };
  if (kind === "url" && field.whole.checked) body.whole = true;
  if (kind === "text" && field.title.value.trim()) body.title = field.title.value;
  button.disabled = true;
  button.textContent = kind === "url" ? "Fetching the page" : "Adding";
  tell(problem, "");
  const first = empty();
  try {
    await call("/api/source/add", body);
    field[kind].value = field.title.value = "";
    await added(first, refresh);
  } catch (error) {
    tell(problem, error.message);
    field[kind].focus();
  } finally {
    button.disabled = false;
    button.textContent = "Add";
  }
}

// Asked before a source is sent: the list may show it before the answer to its sending is here.
function empty() {
  return !document.querySelector("#sources > li");
}

// Whoever has added the first source wants to ask.
async function added(first, refresh) {
  await refresh();
  if (!first) return;
  fold.open = false;
  document.getElementById("question").focus();
}

function choose(files) {
  if (!field.file.files.length) {
    field.file.click();
    return;
  }
  for (const file of field.file.files) files.push(file);
  field.file.value = "";
}

// One file after the other: each then has all of the line, and the list keeps their order.
function queue(notebook, refresh) {
  let last = Promise.resolve();
  const push = (file) => {
    const row = document.getElementById("upload").content.firstElementChild.cloneNode(true);
    const bar = row.querySelector("progress");
    row.querySelector(".name").textContent = file.name;
    bar.setAttribute("aria-label", `Sending ${file.name}`);
    row.querySelector("button").addEventListener("click", () => row.remove());
    uploads.append(row);
    const query = new URLSearchParams({ notebook_id: notebook, name: file.name, wait: "false", whole: field.whole.checked });
    last = last.then(async () => {
      const first = empty();
      try {
        await send(`/api/source/upload?${query}`, file, (part) => (bar.value = part));
        await added(first, refresh);
        row.remove();
      } catch (error) {
        bar.hidden = true;
        tell(row.querySelector(".why"), error.message);
        row.querySelector("button").hidden = false;
      }
    });
  };
  return { push };
}

function dropping(files) {
  const holds = (event) => event.dataTransfer?.types.includes("Files");
  const show = (on) => document.body.classList.toggle("dropping", on);
  document.addEventListener("dragover", (event) => {
    if (!holds(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    show(true);
  });
  document.addEventListener("dragleave", (event) => event.relatedTarget || show(false));
  document.addEventListener("drop", (event) => {
    if (!holds(event)) return;
    event.preventDefault();
    show(false);
    for (const file of event.dataTransfer.files) files.push(file);
  });
}
