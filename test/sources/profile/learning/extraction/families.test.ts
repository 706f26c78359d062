import { describe, expect, it } from "vitest";
import { heardIn } from "./said.ts";

const contents = (said: string) => heardIn(said).map((one) => one.content);

describe("a wish is heard in many forms", () => {
  it.each([
    [
      "From now on run the linter before you hand anything back to me.",
      "Run the linter before you hand anything back to me",
    ],
    [
      "Please stop writing those long summaries at the end of each answer.",
      "Stop writing those long summaries at the end of each answer",
    ],
    [
      "As a rule I want small functions, nothing above forty lines.",
      "I want small functions, nothing above forty lines",
    ],
    [
      "Next time you rename a file, use git mv so that the history stays.",
      "Next time you rename a file, use git mv so that the history stays",
    ],
    ["For logging we use pino.", "For logging we use pino"],
    ["console.log must not end up in main.", "console.log must not end up in main"],
    ["Can you always show me the diff before you commit?", "Always show me the diff before you commit"],
    ["No force pushes to shared branches, please, ever.", "No force pushes to shared branches, please, ever"],
    [
      "For anything that touches payments, get a second look from me.",
      "For anything that touches payments, get a second look from me",
    ],
    ["Just to be clear: we don't do feature branches.", "We don't do feature branches"],
    [
      "Let me know whenever a test takes longer than a second.",
      "Let me know whenever a test takes longer than a second",
    ],
    ["The team prefers composition over inheritance.", "The team prefers composition over inheritance"],
    ["Whatever you do, don't rebase shared branches.", "Don't rebase shared branches"],
    ["In my projects every script has a --dry-run flag.", "In my projects every script has a --dry-run flag"],
    ["I work in UTC+2, keep that in mind when you schedule things.", "I work in UTC+2"],
    ["Please be less verbose from now on.", "Be less verbose from now on"],
    [
      "Lass in Zukunft die Finger von den Migrationen, die schon gelaufen sind.",
      "Lass in Zukunft die Finger von den Migrationen, die schon gelaufen sind",
    ],
    [
      "Frag mich lieber einmal zu viel als einmal zu wenig.",
      "Frag mich lieber einmal zu viel als einmal zu wenig",
    ],
    ["不明な点があれば推測せずに聞いてください。", "不明な点があれば推測せずに聞いてください"],
  ])("%s", (said, content) => {
    expect(contents(said)).toEqual([content]);
  });

  it.each([
    [
      "You keep adding comments that repeat the code. Stop doing that.",
      "Stop adding comments that repeat the code",
    ],
    [
      "It would be great if you used British spelling in everything user-facing.",
      "It would be great if you used British spelling in everything user-facing",
    ],
  ])("and says what is wished for, not what was done: %s", (said, content) => {
    expect(contents(said)).toEqual([content]);
  });
});

describe("a wish in passing", () => {
  it.each([
    [
      "Looks good. For the next ones: keep the PR description to a few bullet points, I never read the long ones.",
      "Keep the PR description to a few bullet points",
    ],
    [
      "can we agree that you don't touch CI config without telling me",
      "You don't touch CI config without telling me",
    ],
    [
      "Thanks! One thing for the future though, if you need a helper check src/util first, we probably have it.",
      "If you need a helper check src/util first",
    ],
    [
      "The linter is not optional: nothing gets committed that it complains about.",
      "The linter is not optional: nothing gets committed that it complains about",
    ],
    [
      "I'm on a German keyboard, so brackets are hard to type.",
      "I'm on a German keyboard, so brackets are hard to type",
    ],
    [
      "Sieht gut aus, aber Kommentare bitte auf Englisch, das Team ist international.",
      "Kommentare bitte auf Englisch, das Team ist international",
    ],
    [
      "Wenn etwas länger als eine Minute dauert, sag vorher Bescheid.",
      "Wenn etwas länger als eine Minute dauert, sag vorher Bescheid",
    ],
    [
      "Merci. Pour info, les branches partent toujours de develop.",
      "Les branches partent toujours de develop",
    ],
  ])("%s", (said, content) => {
    expect(contents(said)).toEqual([content]);
  });
});

describe("no wish", () => {
  it.each([
    "Can you always reproduce it?",
    "Next time this happens I will call the vendor.",
    "As a rule the API returns a 404 in that case.",
    "In general I want the page to load faster.",
    "For caching we use Redis but it times out.",
    "For the header we use a gradient, make it blue.",
    "Go back to the old layout please.",
    "The user may not land on main page without login.",
    "Has this endpoint been used, ever?",
    "In Zukunft wird der Dienst auf Kubernetes laufen.",
    "Bevor du weitermachst, zeig mir den Diff.",
    "Ich will hier keinen Dialog, sondern eine Seite.",
    "Je ne veux pas de popup ici, mets un lien.",
    "No quiero un modal aquí, pon un enlace.",
    "Não quero um modal aqui, coloque um link.",
    "这里不要弹窗，放一个链接。",
    "Can we agree on a date?",
    "If you need the log, look at /tmp first.",
    "I'm on it.",
    "I don't want any padding.",
    "Keep going, do individual commits.",
    "Avant de continuer, montre-moi le diff.",
    "Antes de seguir, enséñame el diff.",
    "Antes de continuar, me mostre o diff.",
    "Aqui sempre dava erro no build.",
    "邮件绝对不能发送两次。",
    "メールは絶対に二回送信されてはいけません。",
    "続ける前に差分を見せてください。",
  ])("%s", (said) => {
    expect(contents(said)).toEqual([]);
  });
});
