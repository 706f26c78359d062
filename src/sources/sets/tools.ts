import { whyRefused } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";
import type { ToolAnswer, ToolContext, ToolDefinition } from "../../moments/ports/tool.ts";
import { folderOfUser, type MetaFile, metaFile } from "../../moments/state/session-meta.ts";
import { changeStored } from "./events.ts";
import { intentPatch } from "./intent.ts";
import { checkItems, checkSetName, itemsOf, typeName } from "./sets.ts";

/** Long enough for any queue of writers, and short enough that the model learns about a stuck one. */
const LOCK_WAIT_MS = 10_000;

export const setRelevantContext: ToolDefinition = {
  name: "set_relevant_context",
  title: "Keep a list for this session",
  effect: "replaces",
  description: "Keep a list that this session needs again after a resume or compaction.",
  parameters: {
    type: "object",
    properties: {
      setName: { type: "string", description: "such as files, ports" },
      items: { type: "array", description: "the whole list", items: { type: "string" } },
      // "clear" is accepted too, and has the same effect as a list without items.
      mode: { type: "string", enum: ["replace", "merge"], description: "merge adds items" },
    },
    required: ["setName", "items"],
  },
  origin: null,
  need: "sometimes",
  hasUse: ({ namesSession }) => namesSession,
  run: (args, call) =>
    answering(async () => {
      if (!isRecord(args)) return wrongArguments(args, '{"setName": "files", "items": ["/path/spec.md"]}');
      // A subagent works on its own task, so its files say nothing about the session. Programs run this tool directly.
      if (call.session.parent !== undefined) {
        return {
          ok: false,
          text: "A subagent keeps no context of its own. Tell the session that started it.",
        };
      }
      const { setName, items, mode } = args as Record<"setName" | "items" | "mode", unknown>;
      const place = { cwd: call.cwd, home: folderOfUser(call.env), at: call.now };
      if (setName === "intent") return sayIntent(checkItems(setName, items, place), call);
      const change = await changeStored(
        fileOf(call),
        call.session,
        { setName, items, mode: mode ?? undefined },
        place,
      );
      return {
        ok: true,
        text: change.warning === undefined ? change.text : `${change.text}\nWarning: ${change.warning}`,
        telemetry: { contextChanged: true, setName: change.setName },
      };
    }),
};

/** What the agent is doing is not a list: it becomes the session's `currentIntent`, until the next request. */
async function sayIntent(items: readonly string[], call: ToolContext): Promise<ToolAnswer> {
  await fileOf(call).update(() => intentPatch(items.join("; "), call.now));
  return { ok: true, text: items.length === 0 ? "Cleared intent" : "Set intent" };
}

export const getRelevantContext: ToolDefinition = {
  name: "get_relevant_context",
  title: "Show this session's lists",
  effect: "reads",
  description: "The lists that this session keeps.",
  // `setName` is accepted too.
  parameters: { type: "object", properties: {} },
  // JSON, because programs read it too.
  origin: null,
  // A resumed or compacted session gets its lists without asking.
  need: "rarely",
  hasUse: ({ namesSession }) => namesSession,
  run: (args, call) =>
    answering(async () => {
      if (args !== undefined && args !== null && !isRecord(args))
        return wrongArguments(args, '{"setName": "files"} or {}');
      const setName = args?.["setName"] ?? undefined;
      const context = fileOf(call).read()?.context ?? {};
      if (setName === undefined) {
        const isEmpty = Object.keys(context).length === 0;
        return { ok: true, text: isEmpty ? "No context stored for this session" : show(context) };
      }
      // A name that another program stored is accepted even if it is not valid here.
      const name =
        typeof setName === "string" && Object.hasOwn(context, setName) ? setName : checkSetName(setName);
      return { ok: true, text: show({ [name]: itemsOf(context, name) }) };
    }),
};

export const CONTEXT_TOOLS: readonly ToolDefinition[] = [setRelevantContext, getRelevantContext];

function fileOf({ home, env, session }: ToolContext): MetaFile {
  return metaFile(home, folderOfUser(env), session, { lockWaitMs: LOCK_WAIT_MS });
}

/** Expected failures are returned to the model, which can react to them; a bug is thrown. */
async function answering(work: () => Promise<ToolAnswer>): Promise<ToolAnswer> {
  try {
    return await work();
  } catch (error) {
    return { ok: false, text: whyRefused(error) };
  }
}

function wrongArguments(args: unknown, example: string): ToolAnswer {
  return {
    ok: false,
    text: `the arguments are of type ${typeName(args)}; give an object such as ${example}`,
  };
}

function show(value: object): string {
  return JSON.stringify(value, null, 2);
}
