import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changeContext } from "../../../src/sources/sets/change.ts";
import { checkItems } from "../../../src/sources/sets/sets.ts";
import { frameMessage, messageLimit } from "../../../src/web/page/applets/protocol.ts";
import { appletAddress, appletOf, sessionOf, stateItems } from "../../../src/web/page/core/applet-address.ts";

const queryOf = (address: string) => Object.fromEntries(new URL(address, "http://x").searchParams);

describe("the address of an applet", () => {
  it("names session, applet and parameters, and gives them back", () => {
    const session = { host: "claude-code", id: "a/b c?&=#" };
    const address = appletAddress(session, "git-diff", {
      path: "/x y/ä&b",
      against: "HEAD",
      session: "evil",
    });
    expect(address.startsWith("/?session=claude-code%2Fa")).toBe(true);
    const query = queryOf(address);
    expect(sessionOf(query["session"] ?? "")).toEqual(session);
    expect(appletOf(query)).toEqual({ slug: "git-diff", parameters: { path: "/x y/ä&b", against: "HEAD" } });
  });

  it("may name a session by its id alone, as seed 003 does", () => {
    expect(sessionOf("0f3c-11")).toEqual({ id: "0f3c-11" });
    expect(sessionOf("/odd")).toEqual({ id: "/odd" });
    expect(appletOf({ session: "x" })).toBeUndefined();
  });

  it("gives back any session and any parameters", () => {
    const text = fc.string({ minLength: 1, unit: "grapheme" }).filter((one) => one.isWellFormed());
    fc.assert(
      fc.property(text, fc.dictionary(fc.stringMatching(/^[a-z]{1,8}x$/), text), (id, parameters) => {
        const query = queryOf(appletAddress({ host: "pi", id }, "search", parameters));
        expect(sessionOf(query["session"] ?? "")).toEqual({ host: "pi", id });
        expect(appletOf(query)?.parameters).toEqual(parameters);
      }),
    );
  });
});

describe("the state that is kept", () => {
  it("is the name and the parameters, as the set takes them", () => {
    expect(stateItems({ slug: "git-diff", parameters: { path: "/a=b", against: "HEAD" } })).toEqual({
      items: ["git-diff", "path=/a=b", "against=HEAD"],
      left: [],
    });
  });

  it("has at most nine parameters, and names those that do not fit", () => {
    const parameters = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`p${i}`, "x"]));
    const { items, left } = stateItems({ slug: "mine", parameters });
    expect(items.length).toBe(10);
    expect(left).toEqual(["p9", "p10", "p11"]);
    expect(
      stateItems({ slug: "mine", parameters: { long: "x".repeat(5000), lines: "a\nb", "a b": "c" } }).left,
    ).toEqual(["long", "lines", "a b"]);
  });

  it("is always accepted by the set `applet`", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string({ unit: "binary" })), (parameters) => {
        const { items } = stateItems({ slug: "git-diff", parameters });
        expect(checkItems("applet", items, {}).length).toBe(items.length);
        const { context } = changeContext({}, { setName: "applet", items }, {});
        expect(context["applet"]).toEqual(items);
      }),
    );
  });
});

describe("a message of a frame", () => {
  const set = (parameters: unknown) => frameMessage({ continuo: 1, type: "set-parameters", parameters });

  it("is taken in exactly two forms", () => {
    expect(frameMessage({ continuo: 1, type: "ready" })).toEqual({ type: "ready" });
    expect(set({ zone: "UTC", day: "" })).toEqual({
      type: "set-parameters",
      parameters: { zone: "UTC", day: "" },
    });
  });

  it("is refused in every other form", () => {
    for (const data of [
      undefined,
      null,
      7,
      "ready",
      [],
      {},
      { type: "ready" },
      { continuo: 2, type: "ready" },
      { continuo: 1, type: "ready", more: 1 },
      { continuo: 1, type: "read-session", session: "codex/other" },
      { continuo: 1, type: "set-parameters" },
      new Date(),
      new Map([["continuo", 1]]),
    ])
      expect(frameMessage(data)).toBeUndefined();
    for (const parameters of [
      null,
      [],
      "x",
      { a: 1 },
      { a: null },
      { session: "codex/other" },
      { applet: "text-editor" },
      { "a b": "c" },
      { __proto__x: "ok?", "": "x" },
      { a: "x".repeat(1001) },
      { [`a${"a".repeat(64)}`]: "x" },
      { a: "two\nlines" },
      { a: "\ud800" },
      Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`p${i}`, ""])),
    ])
      expect([parameters, set(parameters)]).toEqual([parameters, undefined]);
  });

  it("never throws and never lets anything but texts through", () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (data, parameters) => {
        frameMessage(data);
        const message = set(parameters);
        if (message?.type === "set-parameters")
          for (const value of Object.values(message.parameters)) expect(typeof value).toBe("string");
      }),
    );
  });
});

describe("the limit on messages", () => {
  it("takes some at once and five a second, and stops a flood", () => {
    const limit = messageLimit();
    const first = Array.from({ length: 30 }, () => limit.next(0));
    expect(first.filter((one) => one === "take").length).toBe(20);
    expect(limit.next(1000)).toBe("take");
    const flood = Array.from({ length: 600 }, () => limit.next(1001));
    expect(flood.includes("stop")).toBe(true);
  });
});
