// How far artifacts are. A step of the work is no event, so they are asked while they are seen.

import { call } from "./calls.js";

const EVERY = 1500;

export function following(refresh) {
  const list = document.getElementById("artifacts");
  if (!list) return;
  const again = async () => {
    try {
      for (const row of document.hidden ? [] : list.querySelectorAll(":scope > .processing")) await look(row, refresh);
    } catch {
      // Whether the server can be reached is told elsewhere; the next look may find it again.
    }
    setTimeout(again, EVERY);
  };
  again();
}

async function look(row, refresh) {
  const artifact = await call(`/api/artifact/get?${new URLSearchParams({ artifact_id: row.dataset.id })}`);
  if (artifact.state !== row.dataset.exactly) return refresh();
  if (artifact.progress) row.querySelector("progress").value = artifact.progress;
  row.querySelector(".doing").textContent = artifact.doing.charAt(0).toUpperCase() + artifact.doing.slice(1);
}
