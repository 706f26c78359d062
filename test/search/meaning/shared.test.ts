import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ContinuoError } from "../../../src/base/errors.ts";
import { type Meaning, openMeaning } from "../../../src/search/meaning/embed.ts";
import { forgetMeaning, meaningFailure, sharedMeaning } from "../../../src/search/meaning/shared.ts";
import { SegmentBuilder } from "../../../src/search/segment-builder.ts";
import { readHealth } from "../../../src/store/health.ts";
import { temporaryFolder, temporaryWorld } from "../../support/world.ts";

// Other tests of the same process may have opened it.
beforeEach(forgetMeaning);
afterEach(forgetMeaning);

const recorded = (logs: string) => readHealth(logs).records.map(({ where, code }) => `${where} ${code}`);

describe("the table of meaning of a process", () => {
  it("is opened at the first text, once for all homes", () => {
    let opened = 0;
    const open = (): Meaning => {
      opened++;
      return openMeaning();
    };
    const [first, second] = [temporaryWorld(), temporaryWorld()].map(({ home }) => sharedMeaning(home, open));
    expect(opened).toBe(0);
    expect(first?.()?.embed("the build fails")).toHaveLength(256);
    expect(second?.()?.version).toBe(first?.()?.version);
    expect(opened).toBe(1);
    expect(meaningFailure()).toBeUndefined();
  });

  it("is not opened to index names or empty texts", () => {
    const { home } = temporaryWorld();
    const builder = new SegmentBuilder(sharedMeaning(home, () => expect.fail("opened")));
    builder.put(1, ["", " \n"], "src/cart.ts", "main");
    expect(builder.passages().vectors?.made).toBe("-");
  });

  it("that is missing leaves words alone, and is recorded once in each home", () => {
    const open = () => openMeaning(join(temporaryFolder(), "meaning.bin"));
    for (const { home } of [temporaryWorld(), temporaryWorld()]) {
      const source = sharedMeaning(home, open);
      expect([source(), source(), sharedMeaning(home, open)()]).toEqual([undefined, undefined, undefined]);
      expect(recorded(home.logs)).toEqual(["meaning meaning-missing"]);
    }
    expect(meaningFailure()?.code).toBe("meaning-missing");
  });

  it("that turns out to be damaged is not used any more, and the passages stay pending", () => {
    const { home } = temporaryWorld();
    const source = sharedMeaning(home, () => ({
      ...openMeaning(),
      embed(text) {
        if (text.includes("heron")) throw new ContinuoError("meaning-damaged", "row 7 is damaged");
        return new Float32Array(256).fill(1 / 16);
      },
    }));
    const builder = new SegmentBuilder(source);
    builder.put(1, ["pond", "heron", "pond"]);
    expect(builder.passages().vectors).toBeUndefined();
    expect(source()).toBeUndefined();
    expect(recorded(home.logs)).toEqual(["meaning meaning-damaged"]);
  });

  it("whose pieces are damaged knows no word, and fails no search", () => {
    const { home } = temporaryWorld();
    const source = sharedMeaning(home, () => ({
      ...openMeaning(),
      isWord() {
        throw new ContinuoError("meaning-damaged", "the pieces are damaged");
      },
    }));
    expect(source()?.isWord?.("heron")).toBe(false);
    expect(source()).toBeUndefined();
    expect(recorded(home.logs)).toEqual(["meaning meaning-damaged"]);
  });

  it("of another size, or one that fails in an unexpected way, leaves words alone too", () => {
    const { home } = temporaryWorld();
    let closed = 0;
    const narrow = () => ({ ...openMeaning(), dimensions: 128, close: () => void closed++ });
    expect(sharedMeaning(home, narrow)()).toBeUndefined();
    expect(meaningFailure()?.code).toBe("meaning-version");
    expect(closed).toBe(1);
    forgetMeaning();
    const broken = () => {
      throw new TypeError("unexpected");
    };
    expect(sharedMeaning(home, broken)()).toBeUndefined();
    expect(meaningFailure()?.code).toBe("meaning-failed");
    expect(recorded(home.logs)).toEqual(["meaning meaning-version", "meaning meaning-failed"]);
  });
});
