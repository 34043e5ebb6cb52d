// The page of a notebook works without this file. With it, nothing has to be loaded again.

import { adding } from "./adding.js";
import { asking } from "./asking.js";
import { follow } from "./live.js";
import { opening } from "./reader.js";
import { refresher } from "./sources.js";

const notebook = document.getElementById("notebook");
const { id, after } = notebook.dataset;
// Whoever may only chat has no list of sources.
const refresh = document.getElementById("sources") ? refresher(id) : async () => {};

opening();
if (document.getElementById("add")) adding(id, refresh);
asking(id, refresh);
follow(`/notebooks/${encodeURIComponent(id)}/watch`, after, (change) => {
  if (/^(source|note|notebook)\./.test(change.kind)) refresh();
});
// A reading that is cancelled, or breaks off for good, is no event of the source.
setInterval(() => !document.hidden && document.querySelector("#sources > .processing") && refresh(), 5000);
