/** An applet that tries everything it should not be able to do, and reports what happened as its parameters. */
export const HOSTILE: Record<string, string> = {
  "hostile/applet.json": JSON.stringify({ title: "Hostile", script: "hostile.js" }),
  "hostile/index.html": `<p id="ran">not run</p>
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
    continuo.onState((next) => { state = next; });
    Promise.all(waits).then(() => setTimeout(() => {
      tell("heard", heard);
      tell("state", JSON.stringify(state));
      document.getElementById("ran").textContent = JSON.stringify(told);
    }, 300));
  `,
};

export const FLOOD: Record<string, string> = {
  "flood/applet.json": JSON.stringify({ title: "Flood" }),
  "flood/index.html": `<script>
    for (let round = 0; round < 5000; round++)
      parent.postMessage({ continuo: 1, type: "set-parameters", parameters: { n: String(round) } }, "*");
  </script>`,
};

export const LOOP: Record<string, string> = {
  "loop/applet.json": JSON.stringify({ title: "Loop" }),
  "loop/index.html": "<p>before</p><script>for (;;) {}</script>",
};

/** As docs/applets.md describes it. */
export const CLOCK: Record<string, string> = {
  "clock/applet.json": JSON.stringify({
    title: "World clock",
    description: "The time in a zone",
    script: "clock.js",
    style: "clock.css",
    parameters: [{ name: "zone", description: "a time zone, such as Europe/Berlin" }],
  }),
  "clock/index.html": `<label>Zone <input id="zone"></label><p id="files"></p>`,
  "clock/clock.css": `body { font: 14px system-ui; } [data-theme="dark"] body { color: white; background: #18181c; }`,
  "clock/clock.js": `
    const zone = document.getElementById("zone");
    continuo.onState(({ parameters, context }) => {
      zone.value = parameters.zone ?? "UTC";
      document.getElementById("files").textContent = (context.files ?? []).length + " pinned files";
    });
    zone.addEventListener("change", () => continuo.setParameters({ zone: zone.value }));
  `,
};
