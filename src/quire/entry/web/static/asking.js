// Asking: the answer as it is written, and then as the server shows it.

import { call, events, pageAt, tell } from "./calls.js";

const form = document.getElementById("ask");
const field = document.getElementById("question");
const turns = document.getElementById("turns");
const problem = document.getElementById("asking-problem");

export function asking(notebook, refresh) {
  let busy = false;
  const ask = async (question) => {
    if (busy || !question.trim()) return;
    busy = true;
    tell(problem, "");
    document.getElementById("begin").hidden = true;
    const pending = begin(question);
    try {
      const id = await answered(notebook, question, pending);
      const made = await turn(notebook, id);
      pending.replaceWith(made);
      made.scrollIntoView();
      document.getElementById("afresh").hidden = false;
    } catch (error) {
      pending.remove();
      tell(problem, error.message);
      field.value ||= question;
      document.getElementById("begin").hidden = turns.children.length > 0;
    } finally {
      busy = false;
    }
  };
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("form.asks")) return;
    event.preventDefault();
    const question = event.target.elements.question.value;
    if (event.target === form && !busy) field.value = "";
    ask(question);
    field.focus({ preventScroll: true });
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  turns.addEventListener("submit", (event) => {
    if (!event.target.matches("form.saves")) return;
    event.preventDefault();
    save(notebook, event.target).then(refresh);
  });
}

function begin(question) {
  const pending = document.getElementById("pending").content.firstElementChild.cloneNode(true);
  pending.querySelector(".question").textContent = question;
  turns.append(pending);
  pending.scrollIntoView();
  return pending;
}

async function answered(notebook, question, pending) {
  const body = { notebook_id: notebook, question };
  const { conversation } = form.elements;
  if (conversation.value) body.conversation_id = conversation.value;
  for await (const event of events("/api/chat/ask", body)) {
    if (!event.citations) {
      pending.querySelector(".waiting").hidden = true;
      pending.querySelector(".answer").textContent = event.text;
      continue;
    }
    conversation.value = event.conversation_id;
    history.replaceState(null, "", `?${new URLSearchParams({ conversation: event.conversation_id })}`);
    return event.id;
  }
  throw new Error("The answer was broken off.");
}

async function turn(notebook, id) {
  const query = new URLSearchParams({ conversation: form.elements.conversation.value });
  const page = await pageAt(`/notebooks/${encodeURIComponent(notebook)}?${query}`);
  return page.getElementById(`answer-${id}`);
}

async function save(notebook, saving) {
  const button = saving.querySelector("button");
  button.disabled = true;
  try {
    const note = await call("/api/chat/save", {
      notebook_id: notebook,
      answer_id: saving.closest("[data-id]").dataset.id,
    });
    const link = document.createElement("a");
    link.href = `/notes/${encodeURIComponent(note.short_id)}`;
    link.className = "opens";
    link.textContent = "Saved as a note";
    saving.replaceWith(link);
    link.focus();
  } catch (error) {
    button.disabled = false;
    tell(problem, error.message);
  }
}
