import { expect, it } from "vitest";
import { shortId } from "../../src/base/for-terminal.ts";
import { othersIn } from "../../src/entries/others.ts";
import { registries } from "../../src/entries/registries.ts";
import { ROOT } from "../support/child.ts";
import { HOSTILE, hostilePlace, SESSION } from "../support/hostile.ts";
import { temporaryWorld, write } from "../support/world.ts";

const othersOf = ({ env }: { env: NodeJS.ProcessEnv }) =>
  othersIn({ ...registries, env, cwd: "/", now: Date.now, packageRoot: ROOT });

it("agents have the names that people know", async () => {
  const { agentName: nameOf } = await othersOf(temporaryWorld());
  expect([nameOf("claude-code"), nameOf("gemini"), nameOf("\u001b[1macme")]).toEqual([
    "Claude Code",
    "Gemini CLI",
    "\ufffd[1macme",
  ]);
});

it("a session has the name that its user gave it, else none if it has no transcript", async () => {
  const world = temporaryWorld();
  write(world.home.root, { "state/codex/s1.meta.json": JSON.stringify({ name: "Retry failed webhooks" }) });
  write(world.home.root, { "state/codex/s2.meta.json": "{ damaged" });
  const { sessionName: nameOf } = await othersOf(world);
  expect(["s1", "s2", "s3"].map((session) => nameOf({ host: "codex", session }))).toEqual([
    "Retry failed webhooks",
    "",
    "",
  ]);
  expect(nameOf({ host: "acme", session: "s1" })).toBe("");
});

it("a session of strangers has a name whatever is in it", async () => {
  const { sessionName: nameOf } = await othersOf(hostilePlace());
  expect(nameOf({ host: "claude-code", session: SESSION })).toContain("EVIL");
});

it("an id is shortened as far as it is clear, and only if it is one of a host", () => {
  const id = "5d0c2f7e-9a41-4b0e-8c7a-2f6f1f0e4b11";
  expect(shortId(id)).toBe("5d0c2f7e");
  expect(shortId(id, [{ session: id }, { session: "5d0c2f7e-9b41-4b0e-8c7a-2f6f1f0e4b11" }])).toBe(
    "5d0c2f7e-9a4",
  );
  expect(shortId("retry")).toBe("retry");
  expect(shortId(HOSTILE)).toMatch(/^'.*'$/);
  expect(shortId("-rf and more words")).toBe("'-rf and more words'");
});
