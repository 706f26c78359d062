import { describe, expect, it } from "vitest";
import { type Nameable, resolve } from "../../../../src/sources/sessions/references/resolve.ts";

const session = (id: string, name: string, more: Partial<Nameable> = {}): Nameable => ({
  host: "claude-code",
  id,
  name,
  project: "/here",
  modified: 1,
  ...more,
});
const HERE = { project: "/here", self: "self" };

function resolved(name: string, sessions: readonly Nameable[], more: { host?: string } = {}) {
  const answer = resolve({ name, ...more }, sessions, HERE);
  if (answer.kind === "found") return `${answer.by} ${answer.session.id}`;
  return [
    answer.kind,
    ...(answer.kind === "ambiguous" ? answer.candidates : answer.nearest).map(({ id }) => id),
  ].join(" ");
}

describe("a reference", () => {
  it("prefers an id to a name, a name to a beginning, a beginning to words", () => {
    const all = [
      session("abcdef-1", "Fix the login"),
      session("s2", "abcdef-1"),
      session("s3", "Fix the login page"),
      session("s4", "Timeouts of the payment"),
    ];
    expect(resolved("ABCDEF-1", all)).toBe("id abcdef-1");
    expect(resolved("fix-the-login", all)).toBe("name abcdef-1");
    expect(resolved("Fix the login!", all)).toBe("name abcdef-1");
    expect(resolved("abcdef-", all)).toBe("beginning abcdef-1"); // of an id, which is surer than a word of a name
    expect(resolved("abcdef-1-x", [...all, session("s5", "abcdef-1-xy")])).toBe("beginning s5");
    expect(resolved("fix-the-login-p", all)).toBe("beginning s3");
    expect(resolved("payment-time", all)).toBe("words s4");
    expect(resolved("login", all)).toBe("ambiguous abcdef-1 s3");
  });

  it("to the last session passes over sessions in which nobody asked anything", () => {
    const counts = { turns: 4, prompts: 2, passages: 5, compactions: 0 };
    const all = [
      session("asked", "Login", { modified: 1, counts }),
      session("opened", "opened", { modified: 2, counts: { ...counts, prompts: 0 } }),
      session("no-text", "no-text", { modified: 3, counts: { ...counts, passages: 0 } }),
    ];
    expect(resolved("last", all)).toBe("last asked");
    expect(resolved("last", all.slice(1))).toBe("unknown");
    expect(resolved("opened", all)).toBe("id opened");
  });

  it("ignores accents, unless two names differ in nothing else", () => {
    const all = [
      session("s1", "Café prices"),
      session("s2", "Größe der Körbe"),
      session("s3", "Resume jobs"),
    ];
    expect(resolved("cafe-prices", all)).toBe("name s1");
    expect(resolved("cafe", all)).toBe("words s1");
    expect(resolved("kórbe", all)).toBe("words s2");
    expect(resolved("résumé-jobs", all)).toBe("name s3");
    const both = [...all, session("s4", "Résumé jobs")];
    expect(resolved("résumé-jobs", both)).toBe("name s4");
    expect(resolved("resume-jobs", both)).toBe("ambiguous s3 s4");
    expect(resolved("hindi-कि", [session("s5", "hindi का")])).toBe("unknown s5");
  });

  it("of one word is ambiguous if several names have it, at any position", () => {
    const all = [session("s1", "Explain the builder"), session("s2", "Raw transcripts in explain")];
    expect(resolved("explain", all)).toBe("ambiguous s1 s2");
    expect(resolved("explain-the", all)).toBe("beginning s1");
    expect(resolved("builder", all)).toBe("words s1");
  });

  it("prefers the project's session, and any session to a less sure way", () => {
    const all = [
      session("own", "Login form"),
      session("far", "Login", { project: "/far" }),
      session("far2", "Deploy", { project: "/far" }),
      session("own2", "Deploy"),
    ];
    expect(resolved("login", all)).toBe("name far");
    expect(resolved("deploy", all)).toBe("name own2");
  });

  it("is never guessed: equal names are all listed, newest first, and a typo only gives suggestions", () => {
    const twins = [session("a", "Login", { modified: 1 }), session("b", "login", { modified: 2 })];
    expect(resolved("login", twins)).toBe("ambiguous b a");
    expect(resolved("lgoin", twins)).toBe("unknown b a");
    expect(resolved("something", twins)).toBe("unknown");
    expect(resolved("lo", twins)).toBe("unknown b a");
    expect(resolved("--", twins)).toBe("unknown");
    const many = Array.from({ length: 5000 }, (_, i) => session(`s${i}`, "Login"));
    expect(resolved("login", many).split(" ")).toHaveLength(6);
  });

  it("has suggestions by distinctive words, not by stop words", () => {
    const all = [
      session("a", "Read theme.md in full, then the others"),
      session("b", "Beads of the week"),
      session("c", "What is in the box"),
    ];
    expect(resolved("create the beads", all)).toBe("unknown b");
    expect(resolved("of-that", all)).toBe("unknown b");
    expect(resolved("create the baeds of themes", all)).toBe("unknown a b");
  });

  it("can be limited to a host, and never means the asking session", () => {
    const all = [session("a", "Login"), session("b", "Login", { host: "pi" }), session("self", "Mine")];
    expect(resolved("login", all, { host: "pi" })).toBe("name b");
    expect(resolved("login", all, { host: "gemini" })).toBe("unknown");
    expect(resolved("mine", all)).toBe("unknown");
  });

  it("to the last one means the latest of the project, else the latest", () => {
    const all = [session("a", "A", { modified: 5 }), session("b", "last", { modified: 9, project: "/far" })];
    expect(resolved("last", all)).toBe("last a");
    expect(resolved("LAST", all.slice(1))).toBe("last b");
    expect(resolved("last", [])).toBe("unknown");
  });

  it("counts all places of a project as here", () => {
    const all = [
      session("clone", "Login", { project: "/clone", modified: 5 }),
      session("far", "Login", { project: "/far", modified: 9 }),
    ];
    const places = { project: ["/here", "/clone"], self: "self" };
    expect(resolve({ name: "login" }, all, places)).toMatchObject({
      kind: "found",
      session: { id: "clone" },
    });
    expect(resolve({ name: "last" }, all, places)).toMatchObject({ session: { id: "clone" } });
  });

  it("finds names with line feeds and marks", () => {
    expect(resolved("fix-login-now", [session("a", "fix\n@@login\n\nnow")])).toBe("name a");
    expect(resolved("x", [session("a", "\u0000"), session("b", "")])).toBe("unknown");
  });
});
