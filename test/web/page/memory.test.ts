import { describe, expect, it } from "vitest";
import { arranged } from "../../../src/web/page/graph/arrange.ts";
import { COLOURS, groupsOf } from "../../../src/web/page/graph/groups.ts";
import { near } from "../../../src/web/page/graph/near.ts";
import { folderOf, newNoteAddress, notePath } from "../../../src/web/page/notes/addresses.ts";
import { closingFor, linkAt } from "../../../src/web/page/notes/complete-link.ts";
import { compare } from "../../../src/web/page/parts/conflict/compare.ts";

describe("a link that is typed", () => {
  it("is what stands between [[ and the cursor", () => {
    expect(linkAt("see [[why sq", 12)).toEqual({ typed: "why sq", from: 6 });
    expect(linkAt("see [[", 6)).toEqual({ typed: "", from: 6 });
    expect(linkAt("see [[a]] b", 11)).toBeUndefined();
    expect(linkAt("see [[a|b", 9)).toBeUndefined();
    expect(linkAt("[[a\nb", 5)).toBeUndefined();
    expect(linkAt("no link", 7)).toBeUndefined();
  });

  it("is closed unless it is closed already", () => {
    expect(closingFor("[[a", 3)).toBe("]]");
    expect(closingFor("[[a]]", 3)).toBe("");
  });
});

describe("addresses", () => {
  it("hold any name of a note", () => {
    expect(notePath('memory://a b/"c"?#%', "/move")).toBe(
      "/notes/memory%3A%2F%2Fa%20b%2F%22c%22%3F%23%25/move",
    );
    expect(newNoteAddress({ title: "a & b" })).toBe("/memory/?view=new&title=a+%26+b");
    expect(folderOf("memory://@vault/daily/x")).toBe("@vault/daily");
    expect(folderOf("memory://x")).toBe("");
  });
});

describe("communities", () => {
  it("are the largest first, called by their most named concept, and grey when a concept is alone", () => {
    const groups = groupsOf({ names: ["a", "b", "c", "d"], notes: [1, 5, 2, 9], communities: [0, 0, 0, 1] });
    expect(groups).toEqual([
      { community: 0, name: "b", size: 3, colour: 0 },
      { community: 1, name: "d", size: 1, colour: COLOURS },
    ]);
  });
});

describe("concepts near another", () => {
  it("are those within a number of relations", () => {
    const chain = [0, 1, 1, 1, 2, 1, 2, 3, 1];
    expect([...near(chain, 0, 1)]).toEqual([0, 1]);
    expect([...near(chain, 0, 2)]).toEqual([0, 1, 2]);
    expect([...near(chain, 3, 9)].sort()).toEqual([0, 1, 2, 3]);
  });
});

describe("first places", () => {
  it("are the same for the same graph, finite, and apart from each other", () => {
    const graph = {
      communities: Array.from({ length: 300 }, (_, i) => i % 7),
      notes: Array.from({ length: 300 }, (_, i) => (i * 13) % 11),
    };
    const places = arranged(graph);
    expect(arranged(graph)).toEqual(places);
    expect(places.every(Number.isFinite)).toBe(true);
    const spots = new Set(Array.from({ length: 300 }, (_, i) => `${places[i * 2]} ${places[i * 2 + 1]}`));
    expect(spots.size).toBe(300);
  });
});

describe("comparing two texts", () => {
  it("gives a unified diff, without lines for equal ones, and none for very long ones", () => {
    expect(compare("plan", "a\nb\n", "a\nc\n")).toMatch(/-b\n\+c\n/);
    expect(compare("plan", "a", "a")).not.toMatch(/^@@/m);
    expect(compare("plan", "a".repeat(150_000), "b".repeat(150_000))).toBeUndefined();
  });
});
