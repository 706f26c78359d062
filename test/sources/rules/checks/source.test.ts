import { describe, expect, it } from "vitest";
import { sessionLedger } from "../../../../src/moments/state/ledger.ts";
import { peekState } from "../../../../src/moments/state/session-state.ts";
import type { Edit } from "../../../../src/moments/tool-use.ts";
import { rules } from "../../../../src/sources/rules/source.ts";
import { engineWorld } from "../../../support/engine.ts";
import { temporaryWorld } from "../../../support/world.ts";

const NO_ANY = `---
name: no-any
checks:
  edits:
    never: '\\bany\\b'
    files: "src/**/*.ts"
    message: Use unknown.
---
Never use any.`;

const world = async (files: Record<string, string>) => {
  const made = engineWorld([rules], {}, temporaryWorld(files));
  await made.start();
  const session = { host: "claude-code", id: "s1" } as const;
  return {
    ...made,
    state: () => peekState(made.home, session),
    broken: () => sessionLedger(made.home, session).filter((line) => line.kind === "broken"),
    ledger: () => sessionLedger(made.home, session),
    edit: (text: string, more: Partial<Edit> = {}, id?: string) => {
      const edit: Edit = { path: "src/a.ts", kind: "part", hunks: [{ text, line: 12 }], ...more };
      return made.call({ edits: () => [edit] }, id);
    },
    run: (command: string, more: { hasFailed?: boolean } = {}) =>
      made.call({ name: "Bash", command, input: { command }, ...more }),
  };
};

const RULES = { ".continuo/rules/no-any.md": NO_ANY };

describe("an edit that breaks a rule", () => {
  it("is told with its result, in one line of an addition, and recorded", async () => {
    const { edit, broken } = await world(RULES);
    expect(await edit("const x: any = 1;")).toBe(
      [
        "<continuo-addition>",
        '<continuo-section title="Broken rules">',
        "Your last step broke these rules. Fix it now, or tell the user why it has to stay.",
        '- src/a.ts:12 breaks the rule "no-any": const x: any = 1; (Use unknown.)',
        "</continuo-addition>",
      ].join("\n"),
    );
    expect(broken()).toMatchObject([
      {
        rule: expect.stringContaining("no-any.md"),
        name: "no-any",
        on: "edits",
        reaction: "remind",
        tool: "Edit",
      },
    ]);
    expect(broken()).toMatchObject([{ path: "src/a.ts", line: 12, text: "const x: any = 1;" }]);
  });
});
