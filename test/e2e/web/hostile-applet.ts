import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../support/child.ts";

/** An applet that tries everything it should not be able to do, and reports what happened as its parameters. */
export const hostile = (udpPort: number): Record<string, string> => ({
  "hostile/applet.json": JSON.stringify({ title: "Hostile", script: "hostile.js" }),
  "hostile/inner.js": `
    let found = "no WebRTC";
    try { new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:${udpPort}" }] }); found = "WebRTC"; } catch { found = "no WebRTC"; }
    parent.postMessage({ inner: found }, "*");`,
  "hostile/index.html": `<p id="ran">not run</p>
    <script>document.documentElement.dataset.inline = "ran"</script><img src="x" onerror="document.documentElement.dataset.inline = 'ran'">
    <form id="form" action="/api/sessions/codex/other" method="post"><input name="a" value="b"></form>
    <img src="https://example.com/pixel.png"><img src="/api/sessions">
    <link rel="stylesheet" href="https://example.com/x.css"><link rel="dns-prefetch" href="//leak.example.com">
    <iframe src="/"></iframe>`,
  "hostile/hostile.js": `
    const told = {};
    const tell = (name, value) => { told[name] = String(value).slice(0, 200); };
    const attempt = (name, run) => {
      try { const value = run(); tell(name, value === undefined ? "undefined" : value); } catch (error) { tell(name, "refused: " + error.name); }
    };
    const later = async (name, run) => {
      try { tell(name, await run()); } catch (error) { tell(name, "refused: " + error.name); }
    };
    attempt("origin", () => self.origin);
    attempt("cookie", () => document.cookie);
    attempt("setCookie", () => { document.cookie = "a=b"; });
    attempt("localStorage", () => localStorage.length);
    attempt("sessionStorage", () => sessionStorage.length);
    attempt("indexedDB", () => indexedDB.open("x"));
    attempt("caches", () => caches.keys());
    attempt("parentDocument", () => parent.document.title);
    attempt("parentStorage", () => parent.localStorage.length);
    attempt("topLocation", () => { top.location = "https://example.com/top"; });
    attempt("topHref", () => top.location.href);
    attempt("open", () => window.open("https://example.com/open") ?? "null");
    attempt("openOwn", () => window.open("/api/sessions") ?? "null");
    attempt("alert", () => alert("x"));
    attempt("submit", () => document.getElementById("form").submit());
    attempt("worker", () => new Worker("hostile.js"));
    attempt("blobWorker", () => new Worker(URL.createObjectURL(new Blob(["1"]))));
    attempt("serviceWorker", () => navigator.serviceWorker && "there");
    attempt("beacon", () => navigator.sendBeacon("/api/sessions", "x"));
    attempt("eval", () => eval("1 + 1"));
    attempt("webSocket", () => new WebSocket("ws://" + location.host + "/").readyState);
    attempt("eventSource", () => new EventSource("/api/events").readyState);
    const link = document.createElement("a");
    link.href = "https://example.com/link"; link.target = "_top"; document.body.append(link);
    attempt("clickLink", () => link.click());
    const script = document.createElement("script");
    script.src = "https://example.com/script.js"; document.body.append(script);
    attempt("webRtc", () => {
      const pc = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:${udpPort}" }] });
      pc.createDataChannel("x"); pc.createOffer().then((offer) => pc.setLocalDescription(offer));
    });
    attempt("inline", () => document.documentElement.dataset.inline ?? "not run");
    const innerFrame = new Promise((resolve) => addEventListener("message", ({ data }) => {
      if (data && data.inner) resolve(tell("innerFrame", data.inner));
    }));
    const inner = document.createElement("iframe");
    inner.srcdoc = '<script src="' + new URL("inner.js", location.href) + '"><' + '/script>';
    document.body.append(inner);
    attempt("innerWindow", () => inner.contentWindow.RTCPeerConnection);
    const waits = [
      later("fetchApi", async () => (await fetch("/api/sessions", { credentials: "include" })).status),
      later("fetchFile", async () => (await fetch("/api/files?path=/etc/passwd", { mode: "no-cors", credentials: "include" })).type),
      later("fetchElsewhere", async () => (await fetch("https://example.com/", { mode: "no-cors" })).type),
      later("fetchOwn", async () => (await fetch("hostile.js")).status),
      later("importElsewhere", () => import("https://example.com/module.js")),
      later("clipboard", async () => navigator.clipboard.readText()),
    ];
    let heard = 0;
    addEventListener("message", () => { heard++; });
    for (const message of [
      { continuo: 1, type: "read-session", session: "codex/other" },
      { continuo: 1, type: "state", parameters: {}, context: {} },
      { continuo: 1, type: "set-parameters", parameters: { session: "codex/other" } },
      { continuo: 1, type: "set-parameters", parameters: { applet: "text-editor" } },
      { type: "caco.context" }, "read", null, 7,
    ]) parent.postMessage(message, "*");
    let state;
    const firstState = new Promise((resolve) => continuo.onState((next) => { resolve(state = next); }));
    // The moment after it is for answers that must not come.
    Promise.all([...waits, innerFrame, firstState]).then(() => setTimeout(() => {
      tell("heard", heard);
      tell("session", JSON.stringify(state.session));
      document.getElementById("ran").textContent = JSON.stringify(told);
    }, 300));
  `,
});

export const FLOOD: Record<string, string> = {
  "flood/applet.json": JSON.stringify({ title: "Flood", script: "flood.js" }),
  "flood/index.html": "",
  "flood/flood.js": `
    for (let round = 0; round < 5000; round++)
      parent.postMessage({ continuo: 1, type: "set-parameters", parameters: { n: String(round) } }, "*");`,
};

export const LOOP: Record<string, string> = {
  "loop/applet.json": JSON.stringify({ title: "Loop", script: "loop.js" }),
  "loop/index.html": "<p>before</p>",
  "loop/loop.js": "for (;;) {}",
};

/** The example of docs/applets.md, as it is there. */
export const CLOCK: Record<string, string> = {
  "clock/applet.json": codeBlock("json"),
  "clock/index.html": codeBlock("html"),
  "clock/clock.css": codeBlock("css"),
  "clock/clock.js": codeBlock("js"),
};

function codeBlock(language: string): string {
  const page = readFileSync(join(ROOT, "docs/applets.md"), "utf8");
  const found = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "ms").exec(page)?.[1];
  if (found === undefined) throw new Error(`docs/applets.md has no ${language}`);
  return found;
}
