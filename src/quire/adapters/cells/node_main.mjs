// The thread in which JavaScript cells run. Another one (node_serve.mjs) speaks with the server, so that it
// can still stop a cell that never yields.
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import util from "node:util";
import { Worker } from "node:worker_threads";

const MOST_CHARACTERS = 40 * 1024 * 1024;
const work = process.cwd();
const serving = new Worker(new URL("./node_serve.mjs", import.meta.url), {
  workerData: { socket: process.argv[2], work },
  resourceLimits: { maxOldGenerationSizeMb: 512 },
});
serving.on("error", () => process.exit(1));
serving.on("exit", () => process.exit(0));

let written = 0;
let versions = {};
for (const name of ["stdout", "stderr"]) {
  process[name].write = (chunk, encoding, done) => {
    const text = typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
    written += text.length;
    if (written <= MOST_CHARACTERS) serving.postMessage({ kind: "stream", name, text });
    const after = typeof encoding === "function" ? encoding : done;
    if (after) queueMicrotask(after);
    return true;
  };
}

// Other cells are files beside each other, as they are in srcbook.
function place(name) {
  if (!/^\.{0,2}\//.test(name)) return name;
  const file = path.resolve(work, "src", name);
  const version = versions[path.basename(file)];
  return pathToFileURL(file).href + (version ? `?${version}` : "");
}

globalThis.require = createRequire(path.join(work, "src", "cell.js"));
globalThis[Symbol.for("quire")] = {
  load: (name, options) => import(place(String(name)), options),
  begin: (given) => {
    written = 0;
    versions = given;
  },
  show: (value) => (value === undefined ? undefined : util.inspect(value, { depth: 4, maxArrayLength: 200 })),
};
const nothing = () => {};
process.on("uncaughtException", (error) => process.stderr.write(`${error?.stack ?? error}\n`));
process.on("unhandledRejection", (error) => process.stderr.write(`${error?.stack ?? error}\n`));
process.exit = () => {
  throw new Error("a cell cannot end its kernel");
};
process.on("SIGINT", nothing);
setInterval(nothing, 1 << 30);
