// Server-sent events for as long as the page is seen.

// A browser keeps few connections to one server, so a page that nobody sees gives its own back.
export function follow(address, after, heard) {
  const live = document.getElementById("live");
  let source = null;
  const say = (text, waiting) => {
    live.hidden = false;
    live.textContent = text;
    live.classList.toggle("waiting", waiting);
  };
  const open = () => {
    source?.close();
    source = new EventSource(`${address}?after=${after}`);
    source.addEventListener("open", () => say("Live", false));
    source.addEventListener("error", () => say("Connecting", true));
    source.addEventListener("item", (event) => {
      after = event.lastEventId;
      heard(JSON.parse(event.data));
    });
  };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) source?.close();
    else open();
  });
  window.addEventListener("pagehide", () => source?.close());
  window.addEventListener("pageshow", (event) => event.persisted && open());
  open();
  return () => source?.readyState === EventSource.OPEN;
}
