import { describe, expect, it } from "vitest";
import type { Source } from "../../../src/moments/ports/source.ts";
import { sourceLimit } from "../../../src/moments/run/gather.ts";
import { rules } from "../../../src/sources/rules/source.ts";
import { engineWorld, puppet } from "../../support/engine.ts";
import { configFor, item, section } from "../../support/world.ts";

describe("a source's deadline", () => {
  it("is the configured one, unless the source needs longer with the user's settings", () => {
    const { source } = puppet();
    const config = configFor([source], { sourceDeadlineMs: 800 });
    expect(sourceLimit(source, config)).toBe(800);
    expect(sourceLimit({ ...source, patienceMs: () => 5000 }, config)).toBe(5000);
    expect(sourceLimit({ ...source, patienceMs: () => 10 }, config)).toBe(800);
  });
});

describe("rules come first", () => {
  it("is a property of the source of rules", () => {
    expect(rules.comesFirst).toBe(true);
  });

  const told: string[] = [];
  const first: Source = {
    ...puppet().source,
    comesFirst: true,
    answers: {
      start: async () => {
        for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
        told.push("rules are complete");
        return { sections: [section([item("a", "MARK-RULE")])] };
      },
    },
  };

  it("no other source begins before their part is complete, whatever its place in the list", async () => {
    told.length = 0;
    const other: Source = {
      ...puppet().source,
      name: "memory",
      answers: {
        start: () => {
          told.push("another source begins");
          return {};
        },
      },
    };
    expect(await engineWorld([other, first]).start()).toContain("MARK-RULE");
    expect(told).toEqual(["rules are complete", "another source begins"]);
  });

  it("a source that blocks the process for longer than the moment's time does not cost them", async () => {
    const blocking: Source = {
      ...puppet().source,
      name: "memory",
      answers: {
        start: async () => {
          for (const until = Date.now() + 1_500; Date.now() < until; );
          return new Promise(() => undefined);
        },
      },
    };
    const { start, trouble } = engineWorld([blocking, first], {
      momentDeadlineMs: 1_200,
      sourceDeadlineMs: 400,
    });
    expect(await start()).toContain("MARK-RULE");
    expect(trouble.map(({ where }) => where)).toEqual(["memory at start"]);
  });

  it("have most of the moment's time, also if that is more than a source has", async () => {
    const slow: Source = {
      ...puppet().source,
      comesFirst: true,
      answers: {
        start: async () => {
          await new Promise((resolve) => setTimeout(resolve, 100));
          return { sections: [section([item("a", "MARK-RULE")])] };
        },
      },
    };
    const { start, trouble } = engineWorld([slow], { momentDeadlineMs: 60_000, sourceDeadlineMs: 10 });
    expect(await start()).toContain("MARK-RULE");
    expect(trouble).toEqual([]);
  });
});
