// Lines of JSON over a socket: cells to run come in; what they put out and how they ended goes out.
import { createHash } from "node:crypto";
import fs from "node:fs";
import inspector from "node:inspector";
import * as modules from "node:module";
import net from "node:net";
import path from "node:path";
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";

const session = new inspector.Session();
session.connectToMainThread();
const post = (method, parameters) =>
  new Promise((resolve, reject) =>
    session.post(method, parameters, (error, result) => (error ? reject(error) : resolve(result))),
  );

let client = null;
let running = null;
let count = 0;
const say = (message) => client?.write(`${JSON.stringify(message)}\n`);
parentPort.on("message", (message) => running && say(message));

// What a cell has written is in the port's queue before its end is told by the inspector, which is another way.
function tellWhatWasWritten() {
  for (let one; (one = receiveMessageOnPort(parentPort)); ) say(one.message);
}

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

async function run(order) {
  const mine = (running = { stopped: false });
  count += 1;
  const versions = {};
  fs.mkdirSync(path.join(workerData.work, "src"), { recursive: true });
  for (const [name, text] of Object.entries(order.files)) {
    versions[name] = createHash("sha256").update(text).digest("hex").slice(0, 16);
    fs.writeFileSync(path.join(workerData.work, "src", path.basename(name)), text);
  }
  let ended = { kind: "ended", status: "ok", count };
  try {
    let source = order.source;
    if (order.language === "typescript") {
      if (!modules.stripTypeScriptTypes) throw new Error("TypeScript needs Node 22.13 or newer");
      source = modules.stripTypeScriptTypes(source);
    }
    await post("Runtime.evaluate", {
      expression: `globalThis[Symbol.for("quire")].begin(${JSON.stringify(versions)})`,
    });
    const result = await Promise.race([
      post("Runtime.evaluate", { expression: plain(source), replMode: true, awaitPromise: true }),
      new Promise((resolve) => (mine.stop = () => resolve(null))),
    ]);
    tellWhatWasWritten();
    if (result === null) ended = { kind: "ended", status: "failed", count };
    else if (result.exceptionDetails) {
      say(failure(result.exceptionDetails));
      ended = { kind: "ended", status: "failed", count };
    } else {
      const text = await shown(result.result);
      if (text !== undefined) say({ kind: "result", text, count });
    }
  } catch (error) {
    say({ kind: "error", name: error?.name ?? "Error", value: String(error?.message ?? error), trace: [String(error)] });
    ended = { kind: "ended", status: "failed", count };
  }
  tellWhatWasWritten();
  running = null;
  say(ended);
}

function failure(details) {
  const thrown = details.exception ?? {};
  const description = thrown.description ?? String(thrown.value ?? details.text);
  const [first, ...rest] = description.split("\n");
  const found = /^(?:Uncaught )?([\w$]*(?:Error|Exception))(?:: (.*))?$/.exec(first);
  const trace = [first, ...rest.filter((line) => !line.includes("node:internal"))];
  return { kind: "error", name: found?.[1] ?? thrown.className ?? "Error", value: found ? (found[2] ?? "") : first, trace };
}

async function shown(remote) {
  if (remote.type === "undefined") return undefined;
  const argument = remote.objectId ? { objectId: remote.objectId } : { value: remote.value };
  if (remote.unserializableValue) return remote.unserializableValue;
  const { result: global } = await post("Runtime.evaluate", { expression: "globalThis" });
  const { result } = await post("Runtime.callFunctionOn", {
    functionDeclaration: 'function (value) { return this[Symbol.for("quire")].show(value); }',
    objectId: global.objectId,
    arguments: [argument],
    returnByValue: true,
  });
  return result.value;
}

async function stop() {
  const mine = running;
  if (!mine || mine.stopped) return;
  mine.stopped = true;
  await post("Runtime.terminateExecution").catch(() => {});
  setTimeout(() => mine.stop?.(), 200);
}

const server = net.createServer((socket) => {
  server.close();
  client = socket;
  let rest = "";
  socket.setEncoding("utf8");
  socket.on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const order = JSON.parse(line);
      if (order.stop) stop();
      else run(order);
    }
  });
  socket.on("error", () => process.exit(1));
  socket.on("close", () => process.exit(0));
});
await post("Runtime.enable");
server.listen(workerData.socket);
