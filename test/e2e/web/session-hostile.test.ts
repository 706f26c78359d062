import { expect, it } from "vitest";
import { describePage } from "../../support/browser.ts";
import { answered, asked, call, given, line, result, SESSION, sessionWorld } from "./session-world.ts";

const EVIL = "https://evil.example";

/** Ways that are known to get code or requests into a page that shows strangers' text. */
const TRICKS = [
  "<script>window.pwned=1</script>",
  `<img src="${EVIL}/a.png" onerror="window.pwned=1">`,
  `![tracker](${EVIL}/pixel.png)`,
  `![x](javascript:window.pwned=1)`,
  `[click](javascript:window.pwned=1)`,
  "[click](JaVaScRiPt&#58;window.pwned=1)",
  "[click](  java\tscript:window.pwned=1)",
  "[click](data:text/html;base64,PHNjcmlwdD53aW5kb3cucHduZWQ9MTwvc2NyaXB0Pg==)",
  "[click](vbscript:msgbox)",
  "<javascript:window.pwned=1>",
  `[click](${EVIL} "x\\" onmouseover=window.pwned=1 y=\\"")`,
  `[a]: javascript:window.pwned=1\n\n[a]`,
  `<svg><script>window.pwned=1</script><animate onbegin=window.pwned=1 attributeName=x dur=1s></svg>`,
  `<svg><style><img src=x onerror=window.pwned=1></style></svg>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.pwned=1&gt;">`,
  `<math><mi xlink:href="javascript:window.pwned=1">x</mi></math>`,
  `<form action="${EVIL}"><input name=attributes><button formaction="javascript:window.pwned=1">b</button></form>`,
  `<style>@import "${EVIL}/x.css"; body{background:url(${EVIL}/b.png)}</style>`,
  `<link rel=stylesheet href="${EVIL}/x.css"><link rel=prefetch href="${EVIL}/p">`,
  `<base href="${EVIL}/"><meta http-equiv=refresh content="0;url=${EVIL}">`,
  `<iframe srcdoc="<script>parent.pwned=1</script>"></iframe><iframe src="${EVIL}"></iframe>`,
  `<object data="${EVIL}"></object><embed src="${EVIL}"><video src="${EVIL}/v.mp4" autoplay></video>`,
  "<template><script>window.pwned=1</script></template><details open ontoggle=window.pwned=1>x</details>",
  `<p id="app" class="shell" style="position:fixed;inset:0;background:url(${EVIL}/c.png)">over everything</p>`,
  `<a href="${EVIL}" ping="${EVIL}/ping" target="_self" id="content">a</a>`,
  "```html\n<script>window.pwned=1</script><img src=x onerror=window.pwned=1>\n```",
  '```" onmouseover="window.pwned=1\ncode\n```',
  "`<img src=x onerror=window.pwned=1>`",
  `| a | b |\n|---|---|\n| <img src=x onerror=window.pwned=1> | [x](javascript:window.pwned=1) |`,
  `<noscript><p title="</noscript><img src=x onerror=window.pwned=1>">`,
  `<x-y onpointerover=window.pwned=1 tabindex=1 autofocus onfocus=window.pwned=1>custom</x-y>`,
  "<![CDATA[<img src=x onerror=window.pwned=1>]]><!-- --!><img src=x onerror=window.pwned=1>-->",
  '<div><p><a title="</p></div><img src=x onerror=window.pwned=1>">[**<b>**](<javascript:window.pwned=1>)',
  "\u202egnp.exe\u202c \u200b\u2066hidden\u2069 \x1b[31mred\x1b[0m \x07\x00",
  "مرحبا بالعالم abc שלום",
  `${">".repeat(3000)} deep`,
  `${"[".repeat(3000)}x${"](y)".repeat(3000)}`,
  `${"*a ".repeat(3000)}`,
  `${"| a ".repeat(500)}|\n${"|---".repeat(500)}|`,
  "w".repeat(20_000),
];

const FORBIDDEN = [
  ...[
    "script",
    "iframe",
    "img",
    "style",
    "link",
    "meta",
    "base",
    "object",
    "embed",
    "video",
    "math",
    "template",
  ].map((tag) => `#app ${tag}`),
  ...["form", "input", "button", "[id]", "[style]", "[title]", "[ping]"].map((what) => `.md ${what}`),
  "#app svg:not(.icon)",
].join(", ");

/** Runs in the browser. */
const FOUND = `(() => {
  const panel = document.querySelector(".session-scroll");
  return {
    pwned: String(window.pwned),
    elements: [...document.querySelectorAll(${JSON.stringify(FORBIDDEN)})].map((one) => one.outerHTML.slice(0, 200)),
    handlers: [...document.querySelectorAll("#app *")].flatMap((one) =>
      [...one.attributes].filter(({ name }) => name.startsWith("on")).map(({ name }) => name)),
    width: document.documentElement.scrollWidth - innerWidth,
    column: panel.scrollWidth - panel.clientWidth,
  };
})()`;

describePage("texts of strangers", () => {
  it("run nothing, load nothing and keep the layout, wherever they stand", async () => {
    const nasty = TRICKS.join("\n\n");
    const path = `/work/shop/<img src=x onerror=window.pwned=1>"'\n/a.ts`;
    const { web } = await sessionWorld([
      line("user", {
        gitBranch: "<script>window.pwned=1</script>",
        message: { role: "user", content: "start" },
      }),
      given(nasty),
      ...TRICKS.map((trick) => asked(trick)),
      ...TRICKS.map((trick) => answered({ type: "thinking", thinking: trick }, trick)),
      answered(
        call("c1", "Edit", {
          file_path: path,
          old_string: "<b onclick=window.pwned=1>",
          new_string: nasty.slice(0, 900),
        }),
        call("c2", "<img src=x onerror=window.pwned=1>", { command: nasty }),
        call("c3", "Bash", { command: TRICKS[1] }),
      ),
      result("c1", nasty),
      result("c2", nasty, true),
      result("c3", `${"x".repeat(1_000_000)}`),
      asked(nasty, undefined, { isCompactSummary: true }),
      asked([{ type: "image", source: { type: "base64", media_type: `"><img src=${EVIL}>`, data: "AAAA" } }]),
      line("custom-title", {
        customTitle: `</title><script>window.pwned=1</script><img src=x onerror=window.pwned=1>`,
      }),
    ]);
    const { page, errors, strangers, context } = await web.visit(`/sessions/claude-code/${SESSION}`);
    let dialogs = 0;
    page.on("dialog", (dialog) => {
      dialogs++;
      void dialog.dismiss();
    });
    await page.getByText("Compacted here").waitFor();
    await page.keyboard.press("Home");
    await page.getByText("start", { exact: true }).waitFor();
    // Everything is loaded and opened.
    const later = page.locator('[data-edge="later"]');
    await expect
      .poll(async () => {
        await page.evaluate('document.querySelector(".session-scroll").scrollBy(0, 10000000)');
        return later.count();
      })
      .toBe(0);
    for (let round = 0; round < 3; round++)
      await page.evaluate(
        'document.querySelectorAll("details:not([open]) > summary").forEach((one) => one.click())',
      );
    await page.locator(".md pre, .md-table").first().waitFor({ state: "attached" });
    await page.locator(".diff-line-added").first().waitFor({ state: "attached" });
    for (const link of await page.locator(".md a").all()) {
      expect(await link.getAttribute("href")).toMatch(/^(?:https?:\/\/|mailto:)/);
      expect(await link.getAttribute("rel")).toBe("noreferrer noopener");
    }
    await page.keyboard.press("3");
    await page.getByRole("heading", { name: "Goal" }).waitFor();
    await page.keyboard.press("1");
    await page.getByText("Compacted here").waitFor();
    const found = await page.evaluate(FOUND);
    expect(found).toEqual({ pwned: "undefined", elements: [], handlers: [], width: 0, column: 0 });
    expect(strangers).toEqual([]);
    expect(dialogs).toBe(0);
    expect(context.pages()).toHaveLength(1);
    expect(errors).toEqual([]);
  });
});
