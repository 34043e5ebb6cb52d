// Lines of JSON over a socket: cells to run come in; what they put out and how they ended goes out.
import { createHash } from "node:crypto";
import fs from "node:fs";
import inspector from "node:inspector";
import * as modules from "node:module";
import net from "node:net";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

// Milliseconds until a thread that does not answer is taken to be busy; long where breaking off what it does may be wrong.
const PATIENCE = 200;
const LONG_PATIENCE = 2000;
const session = new inspector.Session();
session.connectToMainThread();

let client = null;
let running = null;
let count = 0;
let asked = 0;
// Whether a run was stopped, which may go on when what it waited for comes.
let unsettled = false;
const answers = new Map();
const say = (message) => client?.write(`${JSON.stringify(message)}\n`);

// Cells are not modules: what a module would import is loaded, what it would export is simply there.
const NAMES = "[\\w$]+";
const FROM = new RegExp(
  `^import\\s+(?:type\\s+[^;]*?from\\s*(["'])[^"']+\\1|(?:(${NAMES})\\s*,?\\s*)?(?:\\*\\s*as\\s+(${NAMES})|\\{([^}]*)\\})?\\s*from\\s*(["'])([^"']+)\\5)\\s*;?`,
  "gm",
);
const LOAD = 'globalThis[Symbol.for("quire")].load';

function plain(source) {
  return source
    .replace(FROM, (all, type, whole, space, some, quote, name) => {
      if (!name) return "";
      const parts = [];
      if (whole) parts.push(`default: ${whole}`);
      for (const one of (some ?? "").split(",")) {
        const [from, to] = one.trim().split(/\s+as\s+/);
        if (from && !from.startsWith("type ")) parts.push(to ? `${from}: ${to}` : from);
      }
      const load = `await ${LOAD}(${JSON.stringify(name)})`;
      return (space ? `const ${space} = ${load};` : "") + (parts.length ? `const { ${parts.join(", ")} } = ${load};` : "");
    })
    .replace(/^import\s*(["'])([^"']+)\1\s*;?/gm, (all, quote, name) => `await ${LOAD}(${JSON.stringify(name)});`)
    .replace(/(?<![\w$.])import\s*\(/g, `${LOAD}(`)
    .replace(/^export\s+default\s+(?=(?:async\s+)?function\s+\w|class\s+\w)/gm, "")
    .replace(/^export\s+(?=const|let|var|function|async|class)/gm, "")
    .replace(/^export\s+default\s+/gm, "globalThis.defaultExport = ")
    .replace(/^export\s*\{[^}]*\}\s*;?/gm, "");
}

function runnable(source, language) {
  if (language !== "typescript") return source;
  if (!modules.stripTypeScriptTypes) throw new Error("TypeScript needs Node 22.13 or newer");
  return modules.stripTypeScriptTypes(source, { mode: "transform" });
}

function writeFiles(files) {
  const versions = {};
  fs.mkdirSync(path.join(workerData.work, "src"), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    versions[name] = createHash("sha256").update(text).digest("hex").slice(0, 16);
    let written = text;
    try {
      // Node's own reading of TypeScript knows neither enums nor namespaces.
      if (/\.[cm]?ts$/.test(name)) written = runnable(text, "typescript");
    } catch {
      // Whoever imports it is told what is wrong with it.
    }
    fs.writeFileSync(path.join(workerData.work, "src", path.basename(name)), written);
  }
  return versions;
}

function begin(order) {
  count += 1;
  const mine = (running = { run: count, stopped: false });
  try {
    const files = writeFiles(order.files);
    const work = { run: count, source: plain(runnable(order.source, order.language)), files };
    if (unsettled) untilHeard(mine, work, LONG_PATIENCE);
    else parentPort.postMessage(work);
  } catch (error) {
    const value = String(error?.message ?? error);
    end({ name: error?.name ?? "Error", value, trace: [value] });
  }
}

function end({ ok = false, text, name = "Error", value = "It was broken off.", trace = [] }) {
  const stopped = running.stopped;
  running = null;
  if (ok && text !== undefined) say({ kind: "result", text, count });
  if (!ok && !stopped) say({ kind: "error", name, value, trace });
  say({ kind: "ended", status: ok ? "ok" : "failed", count });
}

// A thread that waits for a program hears nothing before that has ended, with all that it has started.
function killChildren(process_id = "self") {
  try {
    for (const thread of fs.readdirSync(`/proc/${process_id}/task`)) {
      const children = fs.readFileSync(`/proc/${process_id}/task/${thread}/children`, "utf8");
      for (const child of children.split(" ").filter(Boolean)) {
        killChildren(child);
        process.kill(Number(child), "SIGKILL");
      }
    }
  } catch {
    // It has ended meanwhile.
  }
}

// Says something to the thread of the cells, and breaks off whatever keeps that from hearing it.
async function untilHeard(mine, message, patience) {
  while (running === mine) {
    const ask = (asked += 1);
    const answered = new Promise((resolve) => answers.set(ask, () => resolve(true)));
    parentPort.postMessage({ ...message, ask });
    const heard = await Promise.race([answered, wait(patience, false)]);
    answers.delete(ask);
    if (heard) return;
    session.post("Runtime.terminateExecution");
    killChildren();
  }
}

// What waits is given up, what is busy is broken off; and that is told only once the thread answers again.
async function stop() {
  const mine = running;
  if (!mine || mine.stopped) return;
  mine.stopped = unsettled = true;
  session.post("Runtime.terminateExecution");
  await untilHeard(mine, {}, PATIENCE);
  if (running === mine) end({});
}

parentPort.on("message", (message) => {
  if (message.kind === "here") answers.get(message.ask)?.();
  else if (message.kind !== "ended") running && say(message);
  else if (message.run === running?.run) end(message);
});

const server = net.createServer((socket) => {
  server.close();
  client = socket;
  let rest = [];
  socket.setEncoding("utf8");
  socket.on("data", (chunk) => {
    const lines = chunk.split("\n");
    for (const line of lines.slice(0, -1)) {
      const order = JSON.parse(rest.join("") + line);
      rest = [];
      if (order.stop) stop();
      else begin(order);
    }
    rest.push(lines.at(-1));
  });
  socket.on("error", () => process.exit(1));
  socket.on("close", () => process.exit(0));
});
server.listen(workerData.socket);
