import { describe, expect, it } from "vitest";
import { answer, ask } from "../place.ts";
import { setUp } from "./set-up.ts";

const EDIT = [
  ask("Round the prices in the cart half to even"),
  answer("I change the cart.", [
    { name: "Edit", input: { file_path: "src/cart.ts", old_string: "a", new_string: "b" } },
  ]),
  answer("The cart rounds half to even now. 214 tests pass."),
];
const MESSAGE = [
  ask("Write a commit message for this diff"),
  answer("cart: round half to even, as banks do"),
];
const HEADLESS = { entrypoint: "sdk-cli", promptSource: "sdk" };

describe("the work is named at the next start", () => {
  it("after dozens of questions that scripts asked", async () => {
    const { session, start, index } = setUp();
    session("work", 40, EDIT);
    for (let i = 0; i < 40; i++) session(`script-${i}`, 1 + i / 2, MESSAGE, undefined, HEADLESS);
    const text = await start("a");
    expect(text).toContain('"Round the prices in the cart half to even"');
    expect(text).not.toContain("commit message");
    (await index()).close();
    expect(await start("b")).toBe(text);
  });

  it("after dozens of sessions in which nothing was said", async () => {
    const { session, start } = setUp();
    session("work", 40, EDIT);
    for (let i = 0; i < 40; i++) session(`greeting-${i}`, 1 + i / 2, [ask("Hi there!"), answer("Hello!")]);
    expect(await start()).toContain('"Round the prices in the cart half to even"');
  });

  it("before newer questions of a person, of which the newest are named too", async () => {
    const { session, start } = setUp();
    session("work", 40, EDIT);
    for (let i = 0; i < 12; i++)
      session(`question-${i}`, 1 + i, [
        ask(`How does module number ${i} round its prices?`),
        answer(`Module number ${i} rounds its prices half up.`),
      ]);
    const [first, second] = (await start()).split("\n").filter((line) => line.startsWith("- 20"));
    expect(first).toContain('"Round the prices in the cart half to even"');
    expect(second).toContain("module number 0");
  });

  it("also if a script had an agent do it", async () => {
    const { session, start } = setUp();
    session("work", 4, EDIT, undefined, HEADLESS);
    expect(await start()).toContain('"Round the prices in the cart half to even"');
  });
});
