import type { Section } from "../../src/compose/section.ts";
import { loadHistory } from "../../src/hosts/index.ts";
import { createEngine } from "../../src/moments/engine/engine.ts";
import type { HostEvent } from "../../src/moments/host-event.ts";
import type { Source } from "../../src/moments/ports/source.ts";
import type { Run } from "../../src/moments/run/run.ts";
import type { FileAccess } from "../../src/moments/tool-use.ts";
import type {
  CompactedMoment,
  EndMoment,
  IdleMoment,
  Moment,
  PromptMoment,
  ToolCall,
  ToolMoment,
} from "../../src/moments/types.ts";
import type { Config } from "../../src/store/config.ts";
import { configFor, temporaryWorld } from "./world.ts";

/** A source that answers every moment with what the test last set. */
export function puppet(more: Partial<Source> = {}): { source: Source; say(...sections: Section[]): void } {
  let sections: Section[] = [];
  const answer = () => ({ sections });
  return {
    source: {
      name: "rules",
      answersChildren: true,
      settings: {},
      answers: { start: answer, resume: answer, prompt: answer, tool: answer, compacted: answer },
      ...more,
    },
    say: (...said) => {
      sections = said;
    },
  };
}

function calledWith(tool: Partial<ToolCall>): ToolCall {
  const files = tool.files ?? tool.edits?.().map(({ path }): FileAccess => ({ path, access: "edit" })) ?? [];
  return { name: "Edit", input: {}, files, ...tool };
}

/** An engine with what tests ask of it: the text of a moment, or the verdict. */
export function engineFor(run: Run, onNotice: (lines: readonly string[]) => void = () => undefined) {
  const engine = createEngine(run);
  const handle = async (event: HostEvent) => {
    const delivery = await engine.handle(event);
    onNotice(delivery.notices ?? []);
    return delivery;
  };
  return {
    ...engine,
    handle,
    at: async (moment: Moment) => (await handle({ kind: "moment", moment })).text,
    stop: async (moment: IdleMoment) => (await handle({ kind: "moment", moment })).verdict,
    guard: async (moment: ToolMoment) => (await handle({ kind: "guard", moment })).verdict,
    summarised: async (moment: CompactedMoment, summary: string) =>
      void (await handle({ kind: "summary", moment, summary })),
  };
}

/** What a tool, an offer or an action is called with in a session of this world. */
export function callIn({ env, root, home, project }: ReturnType<typeof temporaryWorld>) {
  const session = { host: "pi", id: "s1" } as const;
  const place = { session, project, cwd: root, home, env, history: loadHistory };
  return { ...place, now: Date.now(), settings: {} };
}

export function engineWorld(
  sources: readonly Source[],
  overrides: Partial<Config> = {},
  world: Omit<ReturnType<typeof temporaryWorld>, "user"> = temporaryWorld(),
  more: Partial<Run> = {},
) {
  const trouble: { where: string; error: unknown }[] = [];
  /** The lines for the user, of all moments so far. */
  const notices: string[] = [];
  const make = () =>
    engineFor(
      {
        sources,
        config: configFor(sources, overrides),
        home: world.home,
        history: loadHistory,
        env: world.env,
        onFailure: (where, error) => trouble.push({ where, error }),
        ...more,
      },
      (lines) => notices.push(...lines),
    );
  let at = Date.parse("2026-01-01T00:00:00Z");
  const tick = () => {
    at += 1000;
    return at;
  };
  const common = (id = "s1", parent?: string) => ({
    session: { host: "claude-code" as const, id, ...(parent === undefined ? {} : { parent }) },
    project: world.project,
    cwd: world.root,
    at: tick(),
  });
  return {
    ...world,
    trouble,
    notices,
    /** Like a new process each time, as hooks are. */
    start: (id?: string, parent?: string) => make().at({ ...common(id, parent), name: "start" }),
    resume: (id?: string, more: { kept?: boolean } = {}) =>
      make().at({ ...common(id), name: "resume", ...more }),
    prompt: (prompt: string, id?: string, more: Pick<PromptMoment, "stillHolds" | "mentioned"> = {}) =>
      make().at({ ...common(id), name: "prompt", prompt, ...more }),
    tool: (name: string, id?: string, files: readonly FileAccess[] = []) =>
      make().at({ ...common(id), name: "tool", tool: { name, input: {}, files } }),
    /** A call with its edits or its command, as adapters hand it over. */
    call: (tool: Partial<ToolCall>, id?: string, parent?: string) =>
      make().at({ ...common(id, parent), name: "tool", tool: calledWith(tool) }),
    guard: (tool: Partial<ToolCall>, id?: string) =>
      make().guard({ ...common(id), name: "tool", tool: calledWith(tool) }),
    pastTool: (files: readonly FileAccess[]) =>
      make().at({ ...common(), name: "tool", isPast: true, tool: { name: "", input: {}, files } }),
    compacting: (more: { endsEpoch?: boolean } = {}) =>
      make().at({ ...common(), name: "compacting", trigger: "auto", ...more }),
    /** The host announces a compaction before it happens. */
    compacted: async (id?: string, more: Partial<CompactedMoment> = {}) => {
      await make().at({ ...common(id), name: "compacting", trigger: "auto" });
      return make().at({ ...common(id), name: "compacted", ...more });
    },
    /** The moment alone, as if it fired twice. */
    compactedAgain: (id?: string) => make().at({ ...common(id), name: "compacted" }),
    summarised: (summary: string) => make().summarised({ ...common(), name: "compacted" }, summary),
    idle: (more: Partial<IdleMoment> = {}) => make().stop({ ...common(), name: "idle", ...more }),
    end: (more: Partial<EndMoment> = {}) => make().at({ ...common(), name: "end", why: "other", ...more }),
    /** What a living process does after `idle`, without a time limit. */
    prepare: (more: Partial<IdleMoment> = {}) =>
      make().prepare({ ...common(), name: "idle", ...more }, 60_000),
    preview: () => make().preview({ ...common(), name: "start" }),
  };
}
