import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readHealth } from "../../src/store/health.ts";
import { homeAt } from "../../src/store/home.ts";
import type { Reply } from "../fakes/anthropic-reply.ts";
import type { RpcEvent } from "../hosts/pi/rpc.ts";
import { orSkipReason } from "../support/packages.ts";
import {
  CHEAP,
  cliOf,
  MIDDLE_PI,
  OLD_PI,
  PI,
  type PiDriver,
  type PiVersion,
  startPi,
} from "../support/pi.ts";
import { write } from "../support/world.ts";
import type { SeenRequest } from "./host-driver.ts";

const own = process.env["CONTINUO_TEST_PI"];
const OWN: PiVersion[] = own === undefined ? [] : [{ ...PI, version: `at ${own}`, cli: own }];

const card = (name: string): Reply => ({
  text: JSON.stringify({
    name,
    description: "The payment client was renamed. Nothing is left to do.",
    summary: "## Goal\nMARK-SUMMARY: a better name.",
    tags: ["payments", "naming", "refactoring"],
  }),
});
const prompt = (message: string, more: object = {}) => ({ type: "prompt", message, ...more });

for (const pi of [PI, MIDDLE_PI, OLD_PI, ...OWN]) {
  const missing = typeof (await orSkipReason(cliOf(pi))) === "object";

  describe.skipIf(missing)(`records of pi ${pi.version}`, () => {
    /** The cheap model gives these answers in order, and then repeats the last one. */
    async function started(settings: object, ...answers: Reply[]): Promise<PiDriver> {
      const driver = await startPi(pi, { defaultProjectTrust: "always" });
      onTestFinished(() => driver.dispose());
      write(driver.home, { ".continuo/config.json": JSON.stringify({ sources: { sessions: settings } }) });
      write(driver.project, { ".continuo/rules/a.md": "Write plain sentences." });
      let asked = 0;
      driver.respondWith(({ body }) =>
        body.model === CHEAP
          ? (answers[Math.min(asked++, answers.length - 1)] ?? { text: "no" })
          : { text: "done" },
      );
      return driver;
    }
    const OPTED_IN = { modelKeys: [`fake/${CHEAP}`], minNewUserMessages: 2 };

    it("are written by a cheap model of pi's, which names the session, and do not affect the conversation", async () => {
      const driver = await started(OPTED_IN, card("Rename the payment client"), card("Rename both clients"));
      const { events, requests } = await driver.rpc(undefined, [
        prompt("Rename the payment client"),
        prompt("And its tests"),
        prompt("Now the other client", { once: indexed(1) }),
        prompt("And its tests"),
        prompt("/continuo-why", { once: indexed(2) }),
      ]);
      const [session] = sessionsOf(driver);
      expect(requests.filter(({ kind }) => kind === "other").map(({ tools }) => tools)).toEqual([[], []]);
      expect(recordOf(driver)).toMatchObject({
        name: "Rename both clients",
        summary: expect.stringContaining("MARK-SUMMARY"),
        model: `fake/${CHEAP}`,
        sessionFile: session,
      });
      const attempts = notesOf(session, "session-index:index");
      const attempt = { success: true, model: `fake/${CHEAP}`, usage: { costUsd: expect.any(Number) } };
      expect(attempts).toMatchObject([attempt, attempt]);
      expect(namesOf(session)).toEqual(["Rename the payment client", "Rename both clients"]);
      expect(statuses(events)).toContainEqual(expect.stringMatching(/session indexed \(\$0\.\d{4,6}\)/));
      expect(events.filter((event) => event["type"] === "extension_error")).toEqual([]);

      // In another process too: pi reads the notes back from its file.
      const next = await driver.turn("go on", { session: session ?? "" });
      staysStable([...requests, ...next.requests].filter(({ kind }) => kind === "main"));
    });

    it("keep the user's name for the session, and are available at once", async () => {
      const driver = await started(OPTED_IN, card("A name by a model"));
      const { events } = await driver.rpc(undefined, [
        prompt("Rename the payment client"),
        prompt("/index-session"),
        { type: "set_session_name", name: "mine" },
        prompt("And its tests"),
        prompt("And the docs"),
        prompt("/index-session", { once: indexed(2) }),
      ]);
      const [session] = sessionsOf(driver);
      expect(namesOf(session)).toEqual(["A name by a model", "mine"]);
      expect(recordOf(driver)).toMatchObject({ name: "mine", model: `fake/${CHEAP}` });
      const messages = notificationsIn(events);
      expect(messages).toEqual([
        expect.stringMatching(/^Session indexed: "A name by a model".*described by fake\/fake-cheap \(\$0/),
        expect.stringMatching(/^Session indexed: "mine".*described by fake\/fake-cheap \(\$0/),
      ]);
    });

    it("are written even if pi ends with the answer", async () => {
      const driver = await started({ ...OPTED_IN, minNewUserMessages: 1 }, card("Rename the payment client"));
      const { session } = await driver.turn("Rename the payment client");
      expect(namesOf(session)).toEqual(["Rename the payment client"]);
      expect(notesOf(session, "session-index:index")).toMatchObject([{ success: true }]);
      expect(recordOf(driver)).toMatchObject({ model: `fake/${CHEAP}` });
    });

    it("stay with their session if another replaces it in the meantime", async () => {
      const driver = await started(OPTED_IN, { ...card("Rename the payment client"), delayMs: 800 });
      const { events, requests } = await driver.rpc(undefined, [
        prompt("Rename the payment client"),
        prompt("And its tests"),
        { type: "new_session" },
        prompt("Something else"),
      ]);
      const [old, fresh] = sessionsOf(driver).sort();
      expect(requests.filter(({ kind }) => kind === "other")).toHaveLength(1);
      expect(namesOf(old)).toEqual(["Rename the payment client"]);
      expect(notesOf(old, "session-index:index")).toMatchObject([{ success: true }]);
      expect(namesOf(fresh)).toEqual([]);
      expect(notesOf(fresh, "session-index:index")).toEqual([]);
      expect(events.filter((event) => event["type"] === "extension_error")).toEqual([]);
    });

    it("change nothing for the user if the model fails", async () => {
      const driver = await started(OPTED_IN, { status: 500, error: "overloaded" });
      const { events, requests } = await driver.rpc(undefined, [
        prompt("Rename the payment client"),
        prompt("And its tests"),
        prompt("And the docs", {
          once: (all: RpcEvent[]) => statuses(all).some((one) => /index failed/.test(one)),
        }),
      ]);
      const [session] = sessionsOf(driver);
      expect(requests.map(({ kind }) => kind)).toEqual(["main", "main", "other", "main"]); // asked once
      staysStable(requests.filter(({ kind }) => kind === "main"));
      expect(notesOf(session, "session-index:index")).toMatchObject([
        { success: false, error: expect.stringContaining("overloaded") },
      ]);
      expect(namesOf(session)).toEqual([]);
      expect(notificationsIn(events)).toEqual([]);
      const { records } = readHealth(homeAt(join(driver.home, ".continuo")).logs);
      expect(records.map(({ code }) => code)).toContain("model-down");
    });

    it("cost no request unless a model is configured, and references are recorded where no model sees them", async () => {
      const driver = await started({});
      const { requests } = await driver.rpc(undefined, [
        ...["Rename the payment client", "2", "3", "4", "5", "6"].map((message) => prompt(message)),
        prompt("/index-session"),
      ]);
      expect(requests.map(({ kind }) => kind)).toEqual(Array(6).fill("main"));
      const [first] = sessionsOf(driver);
      expect(namesOf(first)).toEqual([]);
      expect(notesOf(first, "session-index:index")).toEqual([]);

      const { session } = await driver.turn("as in @@rename-the-payment-client and @@nowhere");
      expect(notesOf(session, "session-reference:inject")).toMatchObject([
        { success: false, resolvedCount: 1, unresolvedCount: 1, unresolvedReasons: { not_found: 1 } },
      ]);
      const next = await driver.turn("go on", { session });
      expect(next.requests.map(({ text }) => text).join()).not.toContain("unresolvedCount");
    });
  });
}

/** What the user is told, besides the line at a start. */
function notificationsIn(events: readonly RpcEvent[]): string[] {
  return events
    .filter((event) => event["method"] === "notify")
    .map((event) => String(event["message"]))
    .filter((message) => !message.startsWith("Continuo:"));
}

function statuses(events: readonly RpcEvent[]): string[] {
  return events.flatMap(({ statusText }) => (typeof statusText === "string" ? [statusText] : []));
}

/** Whether the status line has said this often that a record was written. It says so more than once for each. */
function indexed(times: number) {
  return (events: readonly RpcEvent[]): boolean =>
    statuses(events).filter(
      (text, i, all) => /session indexed/.test(text) && !/session indexed/.test(all[i - 1] ?? ""),
    ).length >= times;
}

function sessionsOf({ home }: PiDriver): string[] {
  const folder = join(home, "..", "sessions");
  return readdirSync(folder).map((name) => join(folder, name));
}

function entriesOf(session: string | undefined): Record<string, unknown>[] {
  return readFileSync(session ?? "", "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

function notesOf(session: string | undefined, type: string): unknown[] {
  return entriesOf(session)
    .filter((entry) => entry["type"] === "custom" && entry["customType"] === type)
    .map((entry) => entry["data"]);
}

function namesOf(session: string | undefined): unknown[] {
  return entriesOf(session)
    .filter((entry) => entry["type"] === "session_info")
    .map((entry) => entry["name"]);
}

function recordOf({ home }: PiDriver): unknown {
  const folder = join(home, ".pi", "agent", "sessions-meta");
  const [name] = existsSync(folder) ? readdirSync(folder) : [];
  return name === undefined ? undefined : JSON.parse(readFileSync(join(folder, name), "utf8"));
}

/** Each request begins with the whole one before, and none contains anything of a record. */
function staysStable(requests: readonly SeenRequest[]): void {
  for (const [i, { units, text }] of requests.entries()) {
    const before = requests[i - 1]?.units ?? [];
    expect(units.slice(0, before.length)).toEqual(before);
    expect(text).not.toMatch(/MARK-SUMMARY|session-index/);
  }
}
