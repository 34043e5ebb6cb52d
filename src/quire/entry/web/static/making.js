// How far artifacts are. A step of the work is no event, so they are asked while they are seen.

import { call } from "./calls.js";

// What takes long is looked at less often.
const SOON = 1500;
const LATE = 8000;

export function following(refresh) {
  const list = document.getElementById("artifacts");
  if (!list) return;
  let wait = SOON;
  const again = async () => {
    const rows = document.hidden ? [] : list.querySelectorAll(":scope > .processing");
    wait = rows.length ? Math.min(wait * 1.2, LATE) : SOON;
    try {
      for (const row of rows) await look(row, refresh);
    } catch {
      // Whether the server can be reached is told elsewhere; the next look may find it again.
    }
    setTimeout(again, wait);
  };
  again();
}

async function look(row, refresh) {
  const artifact = await call(`/api/artifact/get?${new URLSearchParams({ artifact_id: row.dataset.id })}`);
  if (artifact.state !== row.dataset.exactly) return refresh();
  if (artifact.progress) row.querySelector("progress").value = artifact.progress;
  row.querySelector(".doing").textContent = artifact.doing.charAt(0).toUpperCase() + artifact.doing.slice(1);
}
