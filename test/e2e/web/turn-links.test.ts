import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { propose } from "../../../src/sources/profile/learning/propose.ts";
import { exampleSeed, NOW } from "../../sources/profile/seeds.ts";
import { describePage } from "../../support/browser.ts";
import { write } from "../../support/world.ts";
import { answered, asked, call, result, SESSION, sessionWorld } from "./session-world.ts";

const PATIENT = { timeout: 20_000 };

/** The marked turn, if it is in view. */
const marked = (page: Page): Promise<string | null> =>
  page.evaluate(`(() => {
    const one = document.querySelector(".block-shown");
    const box = one?.getBoundingClientRect();
    return box && box.top >= 0 && box.top < innerHeight ? one.dataset.turn : null;
  })()`);

const LONG = [
  ...Array.from({ length: 40 }, (_, i) => [
    asked(`question ${i}`, `q${i}`),
    answered(`answer ${i}\n\n`.repeat(6)),
  ]).flat(),
  asked("Why does the zeppelin ledger round half up?", "zeppelin"),
  answered("Because of `Math.round`.", call("c1", "Read", { file_path: "/work/shop/src/round.ts" })),
  result("c1", "export {}"),
  ...Array.from({ length: 40 }, (_, i) => [
    asked(`later question ${i}`, `l${i}`),
    answered(`later answer ${i}\n\n`.repeat(6)),
  ]).flat(),
];

describePage("links to a turn", () => {
  it("a search hit opens the session at its turn, which is marked and stays marked", async () => {
    const { web } = await sessionWorld(LONG);
    const { page } = await web.visit("/sessions?q=zeppelin");
    await page.locator(".session-passage mark").first().waitFor();
    await page.locator(".session-row .session-name").first().click();
    await page.waitForURL(/#zeppelin$/);
    await expect.poll(() => marked(page), PATIENT).toBe("zeppelin");
    await page.goBack();
    await page.locator(".session-passage mark").first().waitFor();
    // The same link in the side panel of the session that is shown already.
    await page.goto(`${web.url}/sessions/claude-code/${SESSION}?applet=search&q=zeppelin`);
    await page.getByText("later question 39").waitFor();
    await page.getByRole("region", { name: "Sessions" }).getByRole("link").first().click();
    await expect.poll(() => marked(page), PATIENT).toBe("zeppelin");
  });

  it("the words of a suggestion link to the turn in which they were said", async () => {
    const { web, env, home } = await sessionWorld(LONG);
    const user = env["HOME"] ?? "";
    write(user, { ".pai/seed.json": JSON.stringify(exampleSeed()) });
    await propose(
      [
        {
          type: "pattern",
          content: "Round half to even",
          evidence: "half up?",
          turn: "zeppelin",
          saidAt: NOW,
        },
      ],
      {
        place: { seed: join(user, ".pai/seed.json"), home: home.root },
        sessionId: SESSION,
        host: "claude-code",
        project: "project:~/work/shop",
        projectName: "shop",
        now: NOW,
      },
    );
    const { page } = await web.visit("/inbox");
    await page.getByRole("link", { name: "this session" }).click();
    await expect.poll(() => marked(page), PATIENT).toBe("zeppelin");
  });
});
