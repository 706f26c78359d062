import { describe, expect, it } from "vitest";
import type { CardView } from "../../../src/web/api/cards.ts";
import { itemsIn, nameOf } from "../../../src/web/page/card/change.ts";
import { itemsOf, summaryOf } from "../../../src/web/page/card/summary.ts";

const file = (name: string) => ({ path: `/p/${name}`, name, state: "same" as const, canOpen: true });
const EMPTY: CardView = {
  session: { host: "pi", id: "1" },
  files: [],
  used: [],
  endpoints: [],
  ports: [],
  others: [],
};
const FULL: CardView = {
  ...EMPTY,
  files: [file("a"), file("b"), file("c")],
  applet: { slug: "git-diff", title: "Git diff", isThere: true, parameters: { path: "/p", against: "HEAD" } },
  ports: [
    { port: 3000, isOpen: true },
    { port: 8080, isOpen: false },
  ],
  others: [{ name: "tickets", items: ["T-1"] }],
};

describe("the card in one line", () => {
  it("counts what is there, in a fixed order", () => {
    expect(summaryOf(FULL)).toBe("3 files · 1 applet · 2 ports · 1 tickets");
    expect(summaryOf({ ...EMPTY, files: [file("a")] })).toBe("1 file");
    expect(summaryOf({ ...EMPTY, used: [file("a"), file("b")] })).toBe("Nothing pinned · 2 files in use");
    expect(summaryOf(EMPTY)).toBe("Nothing pinned");
  });
});

describe("what a set holds", () => {
  it("is as the server gave it, so that it can be put back", () => {
    expect(itemsIn(FULL, "files")).toEqual(["/p/a", "/p/b", "/p/c"]);
    expect(itemsIn(FULL, "applet")).toEqual(["git-diff", "path=/p", "against=HEAD"]);
    expect(itemsIn(FULL, "ports")).toEqual(["3000", "8080"]);
    expect(itemsIn(FULL, "tickets")).toEqual(["T-1"]);
    expect(itemsIn(EMPTY, "applet")).toEqual([]);
  });

  it("differs for an item whose state changed", () => {
    const before = itemsOf(FULL);
    const after = itemsOf({
      ...FULL,
      ports: [
        { port: 3000, isOpen: false },
        { port: 8080, isOpen: false },
      ],
    });
    expect([...after].filter((one) => !before.has(one)).length).toBe(1);
  });
});

describe("what a notice calls an item", () => {
  it("is a path's last part, and any other item as it is", () => {
    expect(nameOf("/w/shop/docs/spec.md")).toBe("spec.md");
    expect(nameOf("C:\\shop\\spec.md")).toBe("spec.md");
    expect(nameOf("http://localhost:3000/health")).toBe("http://localhost:3000/health");
    expect(nameOf("8080")).toBe("8080");
  });
});
