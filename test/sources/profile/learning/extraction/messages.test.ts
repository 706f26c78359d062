import { describe, expect, it } from "vitest";
import { heardIn } from "./said.ts";

const contents = (said: string) => heardIn(said).map((one) => one.content);

describe("a wish in a message of several sentences", () => {
  it.each([
    [
      "Nice. One thing though: run any new migration by me before adding it.",
      "Run any new migration by me before adding it",
    ],
    ["No semicolons please. That's how we do it everywhere.", "No semicolons"],
    ["Yarn, not npm. This is the third time.", "Yarn, not npm"],
    [
      "Passt. Nur: die Fehlermeldungen gehören bei uns auf Deutsch.",
      "Die Fehlermeldungen gehören bei uns auf Deutsch",
    ],
    ["可以了。不过代码里的注释要写中文。", "代码里的注释要写中文"],
  ])("%s", (said, content) => {
    expect(contents(said)).toContain(content);
  });

  it.each([
    ["Don't bump versions, the release bot does that", "Don't bump versions"],
    ["Never use double, because amounts get rounded", "Never use double"],
    ["Schreib nie Tests ohne Namen, weil ich sie sonst nicht finde", "Schreib nie Tests ohne Namen"],
    ["Evita los comentarios obvios, porque ya leo el código", "Evita los comentarios obvios"],
  ])("leaves its reason out: %s", (said, content) => {
    expect(contents(said)).toEqual([content]);
  });

  it.each([
    ["For the third time: dates are stored in UTC", "Dates are stored in UTC"],
    ["I told you yesterday already: amounts are in cents", "Amounts are in cents"],
    ["Zum dritten Mal: Beträge stehen in Cent", "Beträge stehen in Cent"],
    ["Pour la troisième fois : les montants sont en centimes", "Les montants sont en centimes"],
    ["Já te falei ontem: valores ficam em centavos", "Valores ficam em centavos"],
    ["说了多少遍了，金额用分", "金额用分"],
  ])("is meant in general if it is repeated: %s", (said, content) => {
    expect(contents(said)).toEqual([content]);
  });

  it.each([
    ["Los lunes no publicamos, regla de la casa.", "Los lunes no publicamos"],
    ["Kein Code ohne Test, das ist hier Pflicht.", "Kein Code ohne Test"],
    ["Toujours des tests avec le code, c'est la règle ici.", "Toujours des tests avec le code"],
    ["写代码必须带测试，这是这里的规矩。", "写代码必须带测试"],
  ])("may be named as a rule afterwards: %s", (said, content) => {
    expect(contents(said)).toEqual([content]);
  });

  it("is heard without accents", () => {
    expect(contents("desormais utilise uv, plus pip")).toEqual(["Utilise uv, plus pip"]);
  });
});

describe("a wish that is said of what comes later", () => {
  it.each([
    [
      "For all future database changes, write a reversible migration.",
      "For all future database changes, write a reversible migration",
    ],
    [
      "For the rest of this project we target Node 22 only.",
      "For the rest of this project we target Node 22 only",
    ],
    [
      "Make it a habit to check the changelog before you bump a dependency.",
      "Check the changelog before you bump a dependency",
    ],
    ["I want you to ask me before deleting any file.", "Ask me before deleting any file"],
    ["I need you to run the linter whenever you finish", "Run the linter whenever you finish"],
    [
      "In this repo, functions should stay below 40 lines.",
      "In this repo, functions should stay below 40 lines",
    ],
    ["Call me Sam, not Samuel.", "Call me Sam, not Samuel"],
    [
      "The build must never depend on the network; keep it that way.",
      "The build must never depend on the network",
    ],
    [
      "our convention is that tests live next to the code",
      "Our convention is that tests live next to the code",
    ],
    ["Let's standardise on date-fns; no more moment.js.", "Let's standardise on date-fns; no more moment.js"],
  ])("is heard whole: %s", (said, content) => {
    expect(contents(said)).toEqual([content]);
  });
});

describe("no wish is heard in", () => {
  it.each([
    "Before you continue, show me the diff.",
    "Before you go on, run the tests once more.",
    "Schreibe in die README, dass man nie direkt auf main pushen soll.",
    "Write in the README that nobody ever pushes to main.",
    "The button should never be disabled.",
    "I want you to check this before we merge",
    "For each new user, always create a folder in the bucket of this tenant.",
    "Forget what I said about tabs, spaces are fine. Always use spaces here.",
    "Vergiss das mit den Tabs, nutze immer was du willst.",
    "刚才说的以后都写英文，当我没说。",
    "Add to the README: never commit secrets.",
    "Füge in die README ein: Niemals Secrets committen.",
    "Error: you must always provide a key.",
    "Nimm eine Map statt einer Liste in getUsers.",
    "Users must always confirm their email before they can post.",
    "列表里不要显示已删除的订单。",
    "一覧に削除済みの注文を表示しないようにして。",
    "I want the footer to always stick to the bottom.",
    "Anna will, dass wir künftig alles in Rust schreiben.",
  ])("%s", (said) => {
    expect(contents(said)).toEqual([]);
  });
});
