// The page works without this file. With it, notes come and go as they are made, here or by an agent.

import { call, tell } from "./calls.js";
import { follow } from "./live.js";

const list = document.getElementById("notes");
const problem = document.getElementById("problem");
const EXCERPT = 280;

function localise(root) {
  const form = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  for (const time of root.querySelectorAll("time[datetime]")) {
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.getTime())) continue;
    time.title = time.textContent;
    time.textContent = form.format(moment);
  }
}

// Cut before the blanks are looked at: in a long run of them the expression takes its length squared.
function excerpt(text) {
  const shown = text.slice(0, EXCERPT).replace(/\s*\n\s*/g, "\n");
  return text.length > EXCERPT ? `${shown} …` : shown;
}

function card(note) {
  const made = document.getElementById("card").content.firstElementChild.cloneNode(true);
  made.dataset.id = note.id;
  const link = made.querySelector("h3 a");
  link.textContent = note.title;
  link.href = `/notes/${note.short_id}`;
  made.querySelector(".excerpt").textContent = excerpt(note.content.trim());
  made.querySelector("time").dateTime = note.created_at;
  made.querySelector("time").textContent = note.created_at;
  made.querySelector(".facts code").textContent = note.short_id;
  made.querySelector("summary .unseen").textContent = ` ${note.title}`;
  made.querySelector("form").action = `/notes/${note.short_id}/delete`;
  localise(made);
  return made;
}

function apply(change) {
  const old = [...list.children].find((one) => one.dataset.id === change.note_id);
  if (change.change === "deleted" || !change.note) {
    old?.remove();
  } else if (old) {
    old.replaceWith(card(change.note));
  } else if (change.change === "created" && list.dataset.growing === "yes") {
    const made = card(change.note);
    made.classList.add("new");
    list.prepend(made);
  }
  count({ created: 1, deleted: -1 }[change.change] ?? 0);
  document.getElementById("empty").hidden = list.children.length > 0;
}

function count(by) {
  const shown = document.getElementById("count");
  if (!shown || !by) return;
  const total = Number(shown.dataset.total) + by;
  shown.dataset.total = total;
  shown.textContent = `${total} ${total === 1 ? "note" : "notes"}`;
}

// Forms post by themselves; here they call the API instead, and the page stays where it is.
function takeOver(followed) {
  const add = document.getElementById("add");
  const act = async (path, body, done) => {
    try {
      await call(path, body);
      tell(problem, "");
      done();
      if (!followed()) location.reload();
    } catch (error) {
      tell(problem, error.message);
    }
  };
  add.addEventListener("submit", (event) => {
    event.preventDefault();
    const { title, content } = add.elements;
    act("/api/note/add", { title: title.value, content: content.value }, () => {
      add.reset();
      title.focus();
    });
  });
  add.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) add.requestSubmit();
  });
  list.addEventListener("submit", (event) => {
    event.preventDefault();
    const gone = event.target.closest("[data-id]");
    act("/api/note/delete", { note_id: gone.dataset.id }, () => {});
  });
}

function copying() {
  for (const button of document.querySelectorAll("button[data-copies]")) {
    const source = document.getElementById(button.dataset.copies);
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(source.textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(source);
        button.textContent = "Press Ctrl-C";
      }
      setTimeout(() => (button.textContent = "Copy"), 2000);
    });
  }
}

localise(document);
copying();
if (list?.dataset.after !== undefined) takeOver(follow("/api/note/watch", list.dataset.after, apply));
