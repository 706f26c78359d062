import { describe, expect, it } from "vitest";
import { candidatesIn } from "../../../../../src/sources/profile/learning/extraction/candidates.ts";
import { cpuSeconds } from "../../../../support/cpu-time.ts";
import { heardIn, turn } from "./said.ts";

describe("a wish in another language", () => {
  it.each([
    ["Ab jetzt bitte immer pnpm statt npm benutzen.", "Immer pnpm statt npm benutzen"],
    ["Ok, nie direkt auf main pushen!", "Nie direkt auf main pushen"],
    ["Merk dir, dass wir Postgres 16 verwenden.", "Wir Postgres 16 verwenden"],
    ["À partir de maintenant, utilise pnpm au lieu de npm.", "Utilise pnpm au lieu de npm"],
    ["Ne pousse jamais directement sur main.", "Ne pousse jamais directement sur main"],
    ["A partir de ahora usa pnpm en lugar de npm.", "Usa pnpm en lugar de npm"],
    ["Pregúntame antes de añadir dependencias.", "Pregúntame antes de añadir dependencias"],
    ["A partir de agora use pnpm em vez de npm.", "Use pnpm em vez de npm"],
    ["Pare de resumir o que você acabou de fazer.", "Pare de resumir o que você acabou de fazer"],
    ["从现在开始用 pnpm，不要用 npm。", "用 pnpm，不要用 npm"],
    ["提交信息必须用英文写。", "提交信息必须用英文写"],
    ["これからは npm ではなく pnpm を使ってください。", "npm ではなく pnpm を使ってください"],
    ["許可なくファイルを削除しないでください。", "許可なくファイルを削除しないでください"],
  ])("%s", (said, content) => {
    expect(heardIn(said).map((one) => one.content)).toEqual([content]);
  });

  it.each([
    // questions, suppositions, one task, what others say, descriptions, no antecedent
    "Warum benutzt du immer npm?",
    "Vielleicht sollten wir immer pnpm nehmen.",
    "Benutze in diesem PR ausnahmsweise npm.",
    "Die Doku sagt, man soll immer strict verwenden.",
    "Der Server gibt immer 500 zurück.",
    "Mach das nie wieder.",
    "Pourquoi utilises-tu toujours npm ?",
    "Utilise npm dans cette PR.",
    "Le serveur renvoie toujours une erreur 500.",
    "El cliente nunca quiere recibir correos.",
    "Esta vez sin tests.",
    "O teste continua falhando sempre.",
    "Talvez a gente devesse sempre usar pnpm.",
    "文档说要始终开启严格模式。",
    "这个 PR 里用 npm。",
    "服务器总是返回 500。",
    "この PR では npm を使ってください。",
    "サーバーはいつも 500 を返します。",
    // not the user's own words
    "Der Kommentar lautet:\nAb jetzt immer pnpm benutzen",
    "> Ab jetzt immer pnpm benutzen",
    "同事说：「从现在开始都要用 pnpm」",
    "彼は「これからは必ず pnpm を使ってください」と言った。",
    // secrets and hidden characters
    "Ab jetzt immer das Token ghp_abcdefghijklmnopqrstuvwxyz0123456789 benutzen",
    "Ab jetzt immer p\u200bnpm benutzen",
  ])("is not heard in: %s", (said) => {
    expect(heardIn(said)).toEqual([]);
  });

  it("is read in linear time", () => {
    for (const piece of ["immer ", "ne pas ", "no uses ", "sempre, ", "不要", "、は", "bitte, ", "si tu, "]) {
      const spent = cpuSeconds(() => void candidatesIn(turn(piece.repeat(2000).slice(0, 1999))));
      expect(spent).toBeLessThan(2);
    }
  });
});

describe("an English wish", () => {
  it.each([
    "I told you not to use any",
    "again: no default exports",
    'Start every commit message with "feat:", "fix:" or "chore:".',
    'Please write commit messages in the style "area: what changed and why".',
    "I don't want to see any TODO comments anymore.",
    "could you please stop adding emojis to commit messages?",
    "Every new endpoint needs an integration test.",
    "Leave the lockfile alone.",
  ])("is heard: %s", (said) => {
    expect(heardIn(said)).toHaveLength(1);
  });

  it.each([
    'The error message should say "never use this".',
    'remember that the prompt said "always use yarn here"',
    "The function should always return a list.",
    "Users should never see other users' data.",
    "No changes needed.",
    "Our tests are failing on CI.",
    "When you click the button, it should open a dialog.",
  ])("is none: %s", (said) => {
    expect(heardIn(said)).toEqual([]);
  });
});
