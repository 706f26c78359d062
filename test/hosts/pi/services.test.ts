import { describe, expect, it } from "vitest";
import type { Pi, PiContext } from "../../../src/hosts/pi/api.ts";
import { createServices } from "../../../src/hosts/pi/services.ts";
import { SOURCES } from "../../../src/sources/index.ts";
import { readHealth } from "../../../src/store/health.ts";
import { temporaryWorld, write } from "../../support/world.ts";

type Entry = Record<string, unknown>;

/** pi with one session, which a test may replace. */
function piWith(entries: Entry[] = [], config: object = {}) {
  const { env, home, root } = temporaryWorld();
  write(home.root, { "config.json": JSON.stringify(config) });
  let session = "s1";
  const append = (entry: Entry) => void entries.push({ id: `e${entries.length}`, ...entry });
  const pi = {
    appendEntry: (customType: string, data: object) => append({ type: "custom", customType, data }),
    setSessionName: (name: string) => append({ type: "session_info", name }),
  } as Partial<Pi> as Pi;
  const ctx = {
    cwd: root,
    sessionManager: { getSessionId: () => session, getEntries: () => entries },
  } as unknown as PiContext;
  const services = createServices(pi, { env, sources: SOURCES, now: Date.now });
  return {
    entries,
    services,
    host: services.of(ctx),
    names: () => entries.filter((one) => one["type"] === "session_info").map((one) => one["name"]),
    notes: () => entries.filter((one) => one["type"] === "custom").map((one) => one["customType"]),
    replace: () => {
      session = "s2";
    },
    pi,
    home,
    again: () => createServices(pi, { env, sources: SOURCES, now: Date.now }).of(ctx),
  };
}

describe("the name of a pi session", () => {
  it("is given and changed by Continuo, in the next process too, while nobody else gave one", () => {
    const { host, names, again } = piWith();
    host.nameSession?.("Fix the login");
    host.nameSession?.("  Fix the\n login ");
    expect(names()).toEqual(["Fix the login"]);
    again().nameSession?.("Fix login and logout");
    expect(names()).toEqual(["Fix the login", "Fix login and logout"]);
  });

  it("stays the user's forever", () => {
    const { host, names, pi, again } = piWith([{ type: "session_info", id: "u", name: "mine" }]);
    host.nameSession?.("ours");
    expect(names()).toEqual(["mine"]);
    const other = piWith();
    other.host.nameSession?.("ours");
    other.pi.setSessionName?.("ours"); // the very words, but the user's by now
    other.host.nameSession?.("better");
    other.again().nameSession?.("better");
    expect(other.names()).toEqual(["ours", "ours"]);
    pi.setSessionName?.(""); // taken away by the user, who wants none
    again().nameSession?.("ours");
    expect(names()).toEqual(["mine", ""]);
  });

  it("is left alone if Continuo may not write to pi's file, or pi cannot name", () => {
    const { host, entries } = piWith([], { sessionEntries: false });
    host.nameSession?.("ours");
    host.note?.("a:b", {});
    expect(entries).toEqual([]);
    const old = piWith();
    delete old.pi.setSessionName;
    old.host.nameSession?.("ours");
    old.host.nameSession?.("");
    expect(old.entries).toEqual([]);
  });
});

describe("a note in pi's file", () => {
  it("is written at once while pi is idle, and after the run while it works", () => {
    const { host, notes, services } = piWith();
    host.note?.("first", { a: 1 });
    expect(notes()).toEqual(["first"]);
    services.setIdle(false);
    host.note?.("second", {});
    expect(notes()).toEqual(["first"]);
    services.setIdle(true);
    expect(notes()).toEqual(["first", "second"]);
  });

  it("never reaches another session, nor one that has ended", () => {
    const { host, entries, services, replace } = piWith();
    services.setIdle(false);
    host.note?.("kept for the end", {});
    services.end();
    host.note?.("late", {});
    host.nameSession?.("late");
    expect(entries.map((one) => one["customType"])).toEqual(["kept for the end"]);
    const other = piWith();
    other.replace();
    other.host.note?.("of the one before", {});
    other.host.nameSession?.("of the one before");
    expect(other.entries).toEqual([]);
    replace();
  });

  it("that pi refuses is recorded for doctor and affects nothing else", () => {
    const { host, pi, home } = piWith();
    pi.appendEntry = () => {
      throw new Error("refused");
    };
    host.note?.("a", {});
    expect(readHealth(home.logs).records).toMatchObject([{ where: "pi notes", message: "refused" }]);
  });
});
