import type { Title } from "../../../moments/ports/history.ts";
import type { Answer, Mark, Role, Turn } from "../../../moments/ports/turn.ts";
import { type Entry, entryAt, textAt, textOf, thoughtsIn, usageIn } from "../../shared/history/fields.ts";
import type { LineParser, Parsed } from "../../shared/history/read-json-lines.ts";
import {
  type About,
  aboutLine,
  answerTo,
  imagesIn,
  joinTurns,
  makeCall,
  makeTurn,
  oneTurn,
  type Place,
} from "../../shared/history/turns.ts";
import { tools } from "../tools.ts";
import {
  asTyped,
  blocksIn,
  createTitles,
  isInterruption,
  isPrompt,
  PASSED,
  PASSED_ATTACHMENTS,
  PASSED_SYSTEM,
  saidIn,
} from "./lines.ts";

/** Claude Code writes one line for each block that the model streams, so an answer may have several lines. */
export function claudeCodeParser(place: Place): LineParser {
  const titles = createTitles();
  return {
    parse(entry, offset) {
      titles.see(entry);
      return parse(entry, offset, place);
    },
    title: (): Title | undefined => titles.newest(),
    join(before, next) {
      const [first, second] = [before[0], next[0]];
      if (before.length !== 1 || next.length !== 1 || first === undefined || second === undefined)
        return undefined;
      return first.group !== undefined && first.group === second.group
        ? [joinTurns(first, second)]
        : undefined;
    },
    passable(line) {
      const type = /^\{"type":"([\w-]+)"/.exec(line)?.[1];
      return type !== undefined && PASSED.has(type) ? type : undefined;
    },
  };
}

function parse(entry: Entry, offset: number, place: Place): Parsed {
  const type = textAt(entry, "type") ?? "(none)";
  switch (type) {
    case "user":
      return { turns: fromUser(entry, offset) };
    case "assistant":
      return { turns: [fromAssistant(entry, offset, place)] };
    case "system":
      return fromSystem(entry, offset);
    case "attachment":
      return fromAttachment(entry, offset);
    case "summary":
    case "custom-title":
    case "ai-title":
      return { passed: type };
    default:
      return PASSED.has(type) ? { passed: type } : { unknown: type };
  }
}

function fromUser(entry: Entry, offset: number): Turn[] {
  const about = common(entry, offset);
  const results = blocksIn(entry).filter((block) => block["type"] === "tool_result");
  const answers = results.map((block) =>
    answerTo(textAt(block, "tool_use_id"), {
      failed: block["is_error"] === true,
      rejected: block["is_error"] === true && REJECTED.test(textOf(block["content"])),
      ...(results.length === 1 ? fileBefore(entryAt(entry, "toolUseResult")) : {}),
    }),
  );
  const text = asTyped(saidIn(entry));
  const tool = makeTurn({
    ...about,
    role: "tool",
    text: results.map((block) => textOf(block["content"])).join("\n\n"),
    answers,
    images: imagesIn(results),
  });
  if (results.length > 0 && text === "") return [tool];
  const id = results.length > 0 ? `${about.id}:text` : about.id;
  const images = imagesIn(blocksIn(entry).filter((block) => block["type"] !== "tool_result"));
  const said = makeTurn({ ...about, id, ...kindOf(entry, text), text, images });
  return results.length > 0 ? [tool, said] : [said];
}

/** What the model reads after the user rejected a tool call, in all versions. */
const REJECTED = /^The user doesn't want to (?:proceed with this tool use|take this action)/;

/** The file's content before a call wrote it. Not all versions of the host keep it. */
function fileBefore(result: Entry): Pick<Answer, "before"> {
  if (result["type"] === "create") return { before: null };
  const text = textAt(result, "originalFile");
  return text === undefined ? {} : { before: text };
}

function kindOf(entry: Entry, text: string): { role: Role; mark?: Mark } {
  if (entry["isCompactSummary"] === true) return { role: "summary", mark: "compaction" };
  if (isInterruption(text)) return { role: "other", mark: "machineMade" };
  if (!isPrompt(entry)) return { role: "other", mark: "injected" };
  const origin = textAt(entryAt(entry, "origin"), "kind") ?? "human";
  const isMade = origin !== "human" || entry["promptSource"] === "system";
  return { role: "user", ...(isMade ? { mark: "machineMade" } : {}) };
}

function fromAssistant(entry: Entry, offset: number, place: Place): Turn {
  const message = entryAt(entry, "message");
  const blocks = blocksIn(entry);
  const isError = entry["isApiErrorMessage"] === true;
  const model = textAt(message, "model");
  const where = { cwd: textAt(entry, "cwd") ?? place.cwd, root: place.root };
  return makeTurn({
    ...common(entry, offset),
    role: isError ? "other" : "assistant",
    text: saidIn(entry),
    thinking: thoughtsIn(blocks),
    calls: blocks
      .filter((block) => /tool_use$/.test(String(block["type"])))
      .map((block) =>
        makeCall(textAt(block, "id"), textAt(block, "name") ?? "", block["input"], where, tools),
      ),
    model: model === "<synthetic>" ? undefined : model,
    usage: usageIn(entryAt(message, "usage"), TOKENS),
    group: isError ? undefined : textAt(message, "id"),
    mark: isError ? "error" : undefined,
  });
}

const TOKENS = [
  "input_tokens",
  "output_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
] as const;

function fromSystem(entry: Entry, offset: number): Parsed {
  const subtype = textAt(entry, "subtype") ?? "(none)";
  if (subtype !== "local_command")
    return PASSED_SYSTEM.has(subtype) ? { passed: `system:${subtype}` } : { unknown: `system:${subtype}` };
  const text = textAt(entry, "content") ?? "";
  return oneTurn({ ...common(entry, offset), role: "other", text, mark: "machineMade" });
}

function fromAttachment(entry: Entry, offset: number): Parsed {
  const attachment = entryAt(entry, "attachment");
  const type = textAt(attachment, "type") ?? "(none)";
  const about = common(entry, offset);
  if (type === "hook_additional_context") {
    const content = attachment["content"];
    const text = Array.isArray(content)
      ? content.filter((one) => typeof one === "string").join("\n")
      : textOf(content);
    return oneTurn({ ...about, role: "other", text, mark: "injected" });
  }
  // A prompt typed while the agent worked. The host puts it between two steps of the agent.
  if (type === "queued_command") {
    const isMade = (textAt(attachment, "commandMode") ?? "prompt") !== "prompt";
    const mark = isMade ? "machineMade" : undefined;
    return oneTurn({ ...about, role: "user", text: textOf(attachment["prompt"]), mark });
  }
  return PASSED_ATTACHMENTS.has(type) ? { passed: `attachment:${type}` } : { unknown: `attachment:${type}` };
}

function common(entry: Entry, offset: number): About {
  const about = aboutLine(entry, offset, "uuid", "parentUuid");
  const parent = about.parent ?? textAt(entry, "logicalParentUuid");
  return { ...about, parent, marks: entry["isSidechain"] === true ? { sidechain: true } : {} };
}
