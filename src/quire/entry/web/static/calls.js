// What the pages ask the server for. Every failure is an Error whose message a person can read.

const UNREACHABLE = "The server cannot be reached.";

export function reason(status, text) {
  if (status === 401) return "You are signed out. Load the page again to sign in.";
  try {
    const { message, hint, field } = JSON.parse(text);
    return [plain(message, field), hint].filter(Boolean).join(" ");
  } catch {
    return status ? `The server answered ${status}.` : UNREACHABLE;
  }
}

// A message begins with the name of an argument, which means nothing to whoever sees a form.
function plain(message, field) {
  const rest = field && message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message;
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

async function request(path, options) {
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Error(UNREACHABLE);
  }
  if (!answer.ok) throw new Error(reason(answer.status, await answer.text()));
  return answer;
}

function posted(body, accept) {
  return {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: accept },
    body: JSON.stringify(body),
  };
}

// Without a body it only asks.
export async function call(path, body) {
  const options = body ? posted(body, "application/json") : { headers: { Accept: "application/json" } };
  return (await request(path, options)).json();
}

// A page of ours as a document that runs nothing, to take parts from.
export async function pageAt(path) {
  const answer = await request(path, { headers: { Accept: "text/html" } });
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

// The events of a call, as they come.
export async function* events(path, body) {
  const answer = await request(path, posted(body, "application/x-ndjson"));
  const decoder = new TextDecoder();
  const reader = answer.body.getReader();
  let rest = "";
  while (true) {
    let piece;
    try {
      piece = await reader.read();
    } catch {
      throw new Error(UNREACHABLE);
    }
    rest += piece.done ? "\n" : decoder.decode(piece.value, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop();
    for (const line of lines.filter(Boolean)) {
      const event = JSON.parse(line);
      if (event.error) throw new Error(reason(0, JSON.stringify(event.error)));
      yield event;
    }
    if (piece.done) return;
  }
}

// A file with how much of it has gone: `fetch` cannot tell that yet.
export function send(path, file, progress) {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    sending.open("POST", path);
    sending.setRequestHeader("Content-Type", "application/octet-stream");
    sending.upload.addEventListener("progress", (event) => event.total && progress(event.loaded / event.total));
    sending.addEventListener("error", () => reject(new Error("The file could not be sent.")));
    sending.addEventListener("load", () => {
      if (sending.status < 300) resolve(JSON.parse(sending.responseText));
      else reject(new Error(reason(sending.status, sending.responseText)));
    });
    sending.send(file);
  });
}

export function tell(shown, problem) {
  shown.textContent = problem;
  shown.hidden = !problem;
}
