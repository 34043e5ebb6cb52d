// The page of a notebook works without this file. With it, nothing has to be loaded again.

import { adding } from "./adding.js";
import { asking } from "./asking.js";
import { folding } from "./folds.js";
import { forms } from "./forms.js";
import { refresher } from "./lists.js";
import { follow } from "./live.js";
import { following } from "./making.js";
import { opening } from "./reader.js";

const notebook = document.getElementById("notebook");
const { id, after } = notebook.dataset;
// Whoever may only chat has no list of sources.
const refresh = document.getElementById("sources") ? refresher(id) : async () => {};

folding();
forms(refresh, opening());
if (document.getElementById("add")) adding(id, refresh);
asking(id, refresh);
following(refresh);
follow(`/notebooks/${encodeURIComponent(id)}/watch`, after, (change) => {
  if (/^(source|note|notebook|artifact)\.|^job\.ended/.test(change.kind)) refresh();
});
// A reading that is cancelled, or breaks off for good, is no event of the source.
setInterval(() => !document.hidden && document.querySelector("#sources > .processing") && refresh(), 5000);
