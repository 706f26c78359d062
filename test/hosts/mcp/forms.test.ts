import { dirname, join } from "node:path";
import type { Server, ServerContext } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { createForms } from "../../../src/hosts/mcp/forms.ts";
import type { AskUser } from "../../../src/moments/ports/form.ts";
import { exampleSeed, parsed, proposal } from "../../sources/profile/seeds.ts";
import { CONTINUO } from "../../support/child.ts";
import { temporaryWorld, write } from "../../support/world.ts";
import { type Answer, type AnswerToServer, startServer } from "./server.ts";

type Content = Readonly<Record<string, unknown>>;
/** What a person says to a form, in order; undefined is no answer at all. */
type Said = { readonly action: string; readonly content?: Content } | undefined;

const accept = (content: Content): Said => ({ action: "accept", content });

function world(suggestions: readonly string[]) {
  const made = temporaryWorld();
  const path = join(made.env["HOME"] ?? "", ".pai", "seed.json");
  const proposals = suggestions.map((text, i) => proposal(`p${i}`, text));
  write(dirname(path), { "seed.json": JSON.stringify(exampleSeed({ state: { proposals } })) });
  const learned = () => parsed(path).learned.patterns.map((one) => one.content);
  const pending = () =>
    parsed(path).state.proposals.flatMap(({ status, content }) => (status === "pending" ? [content] : []));
  return { ...made, learned, pending };
}

function textIn({ result, error }: Answer): string {
  const [message] = (result?.["messages"] ?? []) as { content: { text: string } }[];
  return message?.content.text ?? `error ${error?.code}`;
}

/** A client of 2025: the server sends requests. */
async function review2025(
  suggestions: readonly string[],
  said: Said[],
  capabilities: object = { elicitation: {} },
) {
  const made = world(suggestions);
  const forms: Content[] = [];
  const answer: AnswerToServer = ({ method, params }) => {
    expect(method).toBe("elicitation/create");
    forms.push(params);
    const result = said.shift();
    return result && { result };
  };
  const server = startServer(CONTINUO, made.env, made.root, answer);
  await server.initialize("2025-06-18", "test", capabilities);
  const text = textIn(await server.request("prompts/get", { name: "review" }));
  return { ...made, forms, text };
}

/** A client of 2026: the answer to a request says what to ask, and the request is sent again. */
async function review2026(suggestions: readonly string[], said: Said[], capabilities: object) {
  const made = world(suggestions);
  const forms: Content[] = [];
  const server = startServer(CONTINUO, made.env, made.root);
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  await server.request("server/discover", { _meta });
  let answer = await server.request("prompts/get", { name: "review", _meta });
  while (answer.result?.["resultType"] === "input_required") {
    const { inputRequests, requestState } = answer.result as {
      inputRequests: { form: { method: string; params: Content } };
      requestState: string;
    };
    expect(inputRequests.form.method).toBe("elicitation/create");
    forms.push(inputRequests.form.params);
    const inputResponses = { form: said.shift() };
    answer = await server.request("prompts/get", { name: "review", inputResponses, requestState, _meta });
  }
  return { ...made, forms, text: textIn(answer) };
}

const FORMS = { elicitation: { form: {}, url: {} } };

describe.each([
  ["2025", (suggestions: string[], said: Said[]) => review2025(suggestions, said)],
  ["2026", (suggestions: string[], said: Said[]) => review2026(suggestions, said, FORMS)],
])("the prompt review in the protocol of %s", (_era, review) => {
  it("shows a form for each suggestion and stores each decision; the model gets one line", async () => {
    const { forms, text, learned, pending } = await review(
      ["Use pnpm", "Tests first", "Be brief", "Use tabs"],
      [
        accept({ decision: "accept", text: "Use pnpm" }),
        accept({ decision: "edit", text: "Tests come first" }),
        accept({ decision: "later", text: "Be brief" }),
        accept({ decision: "reject", text: "Use tabs" }),
      ],
    );
    expect(forms).toHaveLength(4);
    expect(forms[0]).toMatchObject({
      message: expect.stringMatching(/^"Use pnpm"\nFrom .*\n4 suggestions to review\. .*next session/),
      requestedSchema: {
        type: "object",
        properties: {
          decision: { type: "string", enum: ["accept", "edit", "reject", "later"] },
          text: { type: "string", default: "Use pnpm" },
        },
        required: ["decision"],
      },
    });
    expect(forms[1]?.["message"]).toContain('Accepted "Use pnpm". 3 suggestions left.');
    expect(String(forms[0]?.["message"]).split("\n").length).toBeLessThanOrEqual(4);
    expect(learned()).toEqual(["Use pnpm", "Tests come first"]);
    expect(pending()).toEqual(["Be brief"]);
    expect(text).toMatch(
      /^I reviewed Continuo's suggestions: 2 accepted, 1 rejected\. A learning that you accept .* 1 suggestion left to review/,
    );
    expect(text).not.toMatch(/pnpm|Tests|brief|tabs|\n/);
  });

  it.each<[string, Said]>([
    ["cancels", { action: "cancel" }],
    ["declines", { action: "decline" }],
    ["answers something else", accept({ decision: "everything" })],
    ["answers without a decision", accept({})],
    ["answers with another type", accept({ decision: ["accept"] })],
  ])("decides nothing if the person %s", async (_how, said) => {
    const { learned, pending, text } = await review(["Use pnpm"], [said]);
    expect(learned()).toEqual([]);
    expect(pending()).toEqual(["Use pnpm"]);
    expect(text).toContain("continuo review");
    expect(text).not.toContain("pnpm");
  });

  it("keeps what was decided before the person cancels", async () => {
    const { learned, pending } = await review(
      ["Use pnpm", "Tests first"],
      [accept({ decision: "accept" }), { action: "cancel" }],
    );
    expect([learned(), pending()]).toEqual([["Use pnpm"], ["Tests first"]]);
  });

  it("asks nothing if nothing waits", async () => {
    const { forms, text } = await review([], []);
    expect(forms).toEqual([]);
    expect(text).toBe("Continuo has no suggestions for me to review. Nothing to do.");
  });
});

describe("a client without forms", () => {
  it.each([
    ["2025", () => review2025(["Use pnpm"], [], {})],
    ["2025, forms only by address", () => review2025(["Use pnpm"], [], { elicitation: { url: {} } })],
    ["2026", () => review2026(["Use pnpm"], [], {})],
  ])("%s: is told where to decide", async (_era, review) => {
    const { forms, text, pending } = await review();
    expect(forms).toEqual([]);
    expect(text).toContain("1 suggestion left to review; I decide in a terminal with: continuo review");
    expect(pending()).toEqual(["Use pnpm"]);
  });

  it("that announces them and has none gets the same answer", async () => {
    const made = world(["Use pnpm"]);
    const refuse = () => ({ error: { code: -32601, message: "Method not found" } });
    const server = startServer(CONTINUO, made.env, made.root, refuse);
    await server.initialize("2025-06-18", "test", { elicitation: {} });
    expect(textIn(await server.request("prompts/get", { name: "review" }))).toContain("continuo review");
    expect(made.pending()).toEqual(["Use pnpm"]);
  });
});

describe("a client of 2026", () => {
  it("that never brings an answer decides nothing, and the work that asked ends", async () => {
    const forms = createForms(20);
    const capabilities = { "io.modelcontextprotocol/clientCapabilities": FORMS };
    const mcpReq = { envelope: capabilities, requestState: () => undefined };
    let answers: unknown = "none yet";
    const work = async (ask: AskUser | undefined) => {
      answers = await ask?.({ message: "?", fields: [{ name: "decision", title: "", choices: ["accept"] }] });
      return "ended";
    };
    const context = { mcpReq } as unknown as ServerContext;
    expect(await forms.run({} as Server, context, work)).toMatchObject({ resultType: "input_required" });
    await expect.poll(() => answers).toBeUndefined();
  });

  it("is asked for a few rounds only: the same prompt goes on", async () => {
    const many = Array.from({ length: 12 }, (_, i) => `Suggestion ${i}`);
    const said = many.map(() => accept({ decision: "accept" }));
    const { forms, learned, pending, text } = await review2026(many, said, FORMS);
    expect(forms).toHaveLength(8);
    expect(learned()).toHaveLength(8);
    expect(pending()).toHaveLength(4);
    expect(text).toContain("4 suggestions left to review: continue with the same command");
  });

  it("that answers a form of nobody is asked again, and decides nothing", async () => {
    const made = world(["Use pnpm"]);
    const server = startServer(CONTINUO, made.env, made.root);
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": FORMS,
    };
    const inputResponses = { form: accept({ decision: "accept" }) };
    const given = { name: "review", inputResponses, requestState: "made-up", _meta };
    expect((await server.request("prompts/get", given)).result).toMatchObject({
      resultType: "input_required",
    });
    expect(made.learned()).toEqual([]);
  });
});
