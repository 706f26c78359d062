import { describe, expect, it, onTestFinished } from "vitest";
import { write } from "../support/world.ts";

/** One request that a host sent to its model, in the words that all hosts share. */
export interface SeenRequest {
  readonly kind: "main" | "title" | "compaction" | "child" | "other";
  /** Everything the model gets as text: system, then conversation, in order. */
  readonly text: string;
  /** The request in the units that a provider caches, in order: tools, system, each message, without cache markers. */
  readonly units: readonly string[];
}

/** What the fake model does at its next turns; without any it answers with a short text. */
export type ScriptedReply =
  | { readonly text: string }
  | { readonly read: string }
  | { readonly delegate: string };

/** The real program, with a home, a project and a fake model of its own. Every turn may be a new process. */
export interface HostDriver {
  readonly project: string;
  /** Runs one prompt to its end in a new session, or in the given one; `session` names it from then on. */
  turn(
    prompt: string,
    options?: { session?: string; replies?: readonly ScriptedReply[] },
  ): Promise<{ session: string; requests: readonly SeenRequest[] }>;
  /** Makes the host compact the session now; its requests too. */
  compact(session: string): Promise<readonly SeenRequest[]>;
  /** Takes us out of the host in the way a user would, or breaks us, in mid-session. */
  sabotage(how: "throws" | "hangs" | "gone"): Promise<void>;
  dispose(): Promise<void>;
}

export interface HostUnderTest {
  readonly name: string;
  /** A driver with Continuo wired in as `continuo install` does it, in a project with a git repository. */
  start(): Promise<HostDriver>;
  /** Why the host cannot be had here; undefined when it can. */
  readonly missing: string | undefined;
  /** Checks that this host cannot pass, each with its reason. */
  readonly skip?: Readonly<Partial<Record<Check, string>>>;
}

export type Check =
  | "start"
  | "resume"
  | "prefix"
  | "addition"
  | "resume card"
  | "file rule"
  | "compaction"
  | "child"
  | "title"
  | "sabotage";

const RULES = {
  ".continuo/rules/always.md": "MARK-ALWAYS: write plain sentences.",
  ".continuo/rules/typed.md": "---\nglobs: '**/*.ts'\n---\nMARK-TYPED: imports end in ts.",
  "src/a.ts": "export const a = 1;\n",
};

/** What every host must show, by the requests that arrive at the model. A source adds its own lines here. */
export function hostContract(host: HostUnderTest): void {
  describe.skipIf(host.missing !== undefined)(
    `${host.name}${host.missing === undefined ? "" : ` (${host.missing})`}`,
    () => {
      const check = (name: Check, title: string, run: (driver: HostDriver) => Promise<void>) => {
        const reason = host.skip?.[name];
        it.skipIf(reason !== undefined)(
          reason === undefined ? title : `${title} (skipped: ${reason})`,
          async () => {
            const driver = await host.start();
            onTestFinished(() => driver.dispose());
            write(driver.project, RULES);
            await run(driver);
          },
        );
      };

      check("start", "shows the snapshot before the first answer, once", async (driver) => {
        const { requests } = await driver.turn("hello");
        for (const request of main(requests)) expect(count(request, "MARK-ALWAYS")).toBe(1);
        expect(main(requests).length).toBeGreaterThan(0);
        expect(count(main(requests)[0]!, "MARK-TYPED")).toBe(0);
      });

      check(
        "resume",
        "shows the same snapshot, once, when the session is resumed in a new process",
        async (driver) => {
          const first = await driver.turn("hello");
          const second = await driver.turn("again", { session: first.session });
          const block = /<continuo>[\s\S]*?<\/continuo>/.exec(main(first.requests)[0]!.text)![0];
          expect(count(main(second.requests)[0]!, block)).toBe(1);
          expect(count(main(second.requests)[0]!, "MARK-ALWAYS")).toBe(1);
        },
      );

      check(
        "prefix",
        "keeps the prefix of consecutive requests, tool calls and resumes included",
        async (driver) => {
          const first = await driver.turn("read it", { replies: [{ read: "src/a.ts" }] });
          const second = await driver.turn("again", { session: first.session });
          const third = await driver.turn("once more", { session: first.session });
          const all = main([...first.requests, ...second.requests, ...third.requests]);
          expect(all.length).toBeGreaterThanOrEqual(4);
          for (let i = 1; i < all.length; i++) expectPrefix(all[i - 1]!, all[i]!);
        },
      );

      check("addition", "delivers a rule that is new in mid-session once, at the tail", async (driver) => {
        const first = await driver.turn("hello");
        write(driver.project, { ".continuo/rules/late.md": "MARK-LATE: new in mid-session." });
        const second = await driver.turn("again", { session: first.session });
        const third = await driver.turn("once more", { session: first.session });
        for (const request of main([...second.requests, ...third.requests]))
          expect(count(request, "MARK-LATE")).toBe(1);
        const all = main([...first.requests, ...second.requests, ...third.requests]);
        for (let i = 1; i < all.length; i++) expectPrefix(all[i - 1]!, all[i]!);
      });

      check("resume card", "tells a resumed session once which of its files changed", async (driver) => {
        const first = await driver.turn("read it", { replies: [{ read: "src/a.ts" }] });
        write(driver.project, { "src/a.ts": "export const a = 1;\nexport const b = 2;\n" });
        const second = await driver.turn("again", { session: first.session });
        const third = await driver.turn("once more", { session: first.session });
        for (const request of main([...second.requests, ...third.requests]))
          expect(count(request, "- src/a.ts (+1 lines)")).toBe(1);
      });

      check("file rule", "delivers a rule for a file once that file was read", async (driver) => {
        const first = await driver.turn("read it", { replies: [{ read: "src/a.ts" }] });
        const second = await driver.turn("again", { session: first.session });
        expect(count(main(second.requests).at(-1)!, "MARK-TYPED")).toBe(1);
      });

      check(
        "compaction",
        "has every rule that holds, once, in the first request after a compaction",
        async (driver) => {
          const first = await driver.turn("read it", { replies: [{ read: "src/a.ts" }] });
          await driver.turn("again", { session: first.session });
          const compaction = await driver.compact(first.session);
          expect(compaction.some((request) => request.kind === "compaction")).toBe(true);
          const after = main((await driver.turn("go on", { session: first.session })).requests);
          for (const mark of ["MARK-ALWAYS", "MARK-TYPED"]) expect(count(after[0]!, mark), mark).toBe(1);
        },
      );

      check("child", "gives a subagent the rules, and the parent's answer goes on", async (driver) => {
        const { requests } = await driver.turn("delegate it", { replies: [{ delegate: "do the job" }] });
        const children = requests.filter((request) => request.kind === "child");
        expect(children.length).toBeGreaterThan(0);
        for (const child of children) expect(count(child, "MARK-ALWAYS")).toBe(1);
      });

      check("title", "puts nothing into requests for a title", async (driver) => {
        const { requests } = await driver.turn("hello");
        const titles = requests.filter((request) => request.kind === "title");
        expect(titles.length).toBeGreaterThan(0);
        for (const title of titles) expect(count(title, "MARK-ALWAYS")).toBe(0);
      });

      check("sabotage", "finishes its turns when we throw, hang or are gone", async (driver) => {
        const { session } = await driver.turn("hello");
        for (const how of ["throws", "hangs", "gone"] as const) {
          await driver.sabotage(how);
          const { requests } = await driver.turn(`still there, ${how}?`, { session });
          expect(main(requests).length, how).toBeGreaterThan(0);
        }
      });
    },
  );
}

function main(requests: readonly SeenRequest[]): SeenRequest[] {
  return requests.filter((request) => request.kind === "main");
}

function count(request: SeenRequest, mark: string): number {
  return request.text.split(mark).length - 1;
}

function expectPrefix(a: SeenRequest, b: SeenRequest): void {
  const at = a.units.findIndex((unit, i) => unit !== b.units[i]);
  expect(
    at === -1
      ? "same prefix"
      : `unit ${at} differs: ${a.units[at]?.slice(0, 300)} … ${b.units[at]?.slice(0, 300)}`,
  ).toBe("same prefix");
}
