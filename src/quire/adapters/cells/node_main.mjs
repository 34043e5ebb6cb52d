// The thread in which JavaScript cells run. Another one (node_serve.mjs) speaks with the server, so that it
// can still stop a cell that never yields.
import inspector from "node:inspector";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import util from "node:util";
import v8 from "node:v8";
import { Worker } from "node:worker_threads";

// What a run may print, in pieces of what size, and how long a result may be.
const MOST_CHARACTERS = 4_000_000;
const PIECE = 200_000;
const work = process.cwd();
const serving = new Worker(new URL("./node_serve.mjs", import.meta.url), {
  workerData: { socket: process.argv[2], work },
  resourceLimits: { maxOldGenerationSizeMb: 512 },
});
const leave = process.exit.bind(process);
serving.on("error", () => leave(1));
serving.on("exit", () => leave(0));

let written = 0;
let versions = {};
for (const name of ["stdout", "stderr"]) {
  process[name].write = (chunk, encoding, done) => {
    const text = typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
    const shown = text.slice(0, Math.max(0, MOST_CHARACTERS - written));
    written += text.length;
    for (let start = 0; start < shown.length; start += PIECE)
      serving.postMessage({ kind: "stream", name, text: shown.slice(start, start + PIECE) });
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

// The run that goes on: its session, and the promise of its end.
let running = null;

function release() {
  running?.session.disconnect();
  running = null;
}

// Cells are evaluated by a session of this very thread: while the other thread's session evaluates something, nothing
// else that it says is heard, "stop" included. A session tells of promises that are collected, and in this thread
// Node cannot bear to hear of it just then: so the promise is held, and a run that is given up takes its session along.
function evaluate({ run, source, files }) {
  release();
  written = 0;
  versions = files;
  const mine = (running = { session: new inspector.Session(), promise: null });
  mine.session.connect();
  const unhook = v8.promiseHooks.onInit((promise) => {
    mine.promise = promise;
    unhook();
  });
  mine.session.post("Runtime.evaluate", { expression: source, replMode: true }, (error, answer) => {
    if (running !== mine) return;
    if (error) serving.postMessage({ kind: "ended", run });
    else if (answer.exceptionDetails) serving.postMessage({ kind: "ended", run, ...failure(answer.exceptionDetails) });
    else serving.postMessage({ kind: "ended", run, ok: true, text: shown(mine.session, answer.result) });
    release();
  });
}

function failure(details) {
  const thrown = details.exception ?? {};
  const description = (thrown.description ?? String(thrown.value ?? details.text)).slice(0, PIECE);
  const [first, ...rest] = description.split("\n");
  const found = /^(?:Uncaught )?([\w$]*(?:Error|Exception))(?:: (.*))?$/.exec(first);
  const trace = [first, ...rest.filter((line) => !line.includes("node:") && !line.includes("/node_main.mjs:"))];
  return { name: found?.[1] ?? thrown.className ?? "Error", value: found ? (found[2] ?? "") : first, trace };
}

function shown(session, { type, objectId, value, unserializableValue }) {
  if (type === "undefined") return undefined;
  if (unserializableValue) return unserializableValue;
  ours.given = value;
  if (objectId) {
    const functionDeclaration = 'function () { globalThis[Symbol.for("quire")].given = this; }';
    session.post("Runtime.callFunctionOn", { objectId, functionDeclaration });
  }
  const { given } = ours;
  ours.given = undefined;
  return util.inspect(given, { depth: 4, maxArrayLength: 200 }).slice(0, PIECE);
}

let latest = 0;
serving.on("message", (order) => {
  if (order.ask) serving.postMessage({ kind: "here", ask: order.ask });
  // What may not have been heard is said again.
  if (!order.run || order.run <= latest) return;
  latest = order.run;
  evaluate(order);
});

globalThis.require = createRequire(path.join(work, "src", "cell.js"));
const ours = (globalThis[Symbol.for("quire")] = { load: (name, options) => import(place(String(name)), options) });
const nothing = () => {};
process.on("uncaughtException", (error) => process.stderr.write(`${error?.stack ?? error}\n`));
process.on("unhandledRejection", (error) => process.stderr.write(`${error?.stack ?? error}\n`));
process.exit = () => {
  throw new Error("a cell cannot end its kernel");
};
process.on("SIGINT", nothing);
setInterval(nothing, 1 << 30);
