import type { Title } from "../../../moments/ports/history.ts";
import type { Answer, Marks, Role, Turn, Usage } from "../../../moments/ports/turn.ts";
import { type Entry, entryAt, numberAt, textAt, textOf, timeOf } from "../../shared/history/fields.ts";
import { imagesIn } from "../../shared/history/images.ts";
import type { LineParser, Parsed } from "../../shared/history/read-json-lines.ts";
import { joinTurns, makeCall, makeTurn, type Place } from "../../shared/history/turns.ts";
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

/** Claude Code writes one line for each block that the model streamed, so several lines make one answer. */
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
  const answers = results.map((block) => ({
    call: textAt(block, "tool_use_id") ?? "",
    ...(block["is_error"] === true ? { failed: true as const, ...rejectedIn(block) } : {}),
    ...(results.length === 1 ? fileBefore(entryAt(entry, "toolUseResult")) : {}),
  }));
  const text = asTyped(saidIn(entry));
  const tool = makeTurn({
    ...about,
    role: "tool",
    text: results.map((block) => textOf(block["content"])).join("\n\n"),
    answers,
    images: imagesIn(results),
  });
  if (results.length > 0 && text === "") return [tool];
  const { role, marks } = kindOf(entry, text);
  const id = results.length > 0 ? `${about.id}:text` : about.id;
  const images = imagesIn(blocksIn(entry).filter((block) => block["type"] !== "tool_result"));
  const said = makeTurn({ ...about, id, role, text, images, marks: { ...about.marks, ...marks } });
  return results.length > 0 ? [tool, said] : [said];
}

/** What the model reads after a person's no, in all versions. */
const REJECTED = /^The user doesn't want to (?:proceed with this tool use|take this action)/;

function rejectedIn(block: Entry): Pick<Answer, "rejected"> {
  return REJECTED.test(textOf(block["content"])) ? { rejected: true } : {};
}

/** Of a call that wrote a file. Not all versions of the host keep what stood there. */
function fileBefore(result: Entry): Pick<Answer, "before"> {
  if (result["type"] === "create") return { before: null };
  const text = textAt(result, "originalFile");
  return text === undefined ? {} : { before: text };
}

function kindOf(entry: Entry, text: string): { role: Role; marks: Marks } {
  if (entry["isCompactSummary"] === true) return { role: "summary", marks: { compaction: true } };
  if (isInterruption(text)) return { role: "other", marks: { machineMade: true } };
  if (!isPrompt(entry)) return { role: "other", marks: { injected: true } };
  const origin = textAt(entryAt(entry, "origin"), "kind") ?? "human";
  const isMade = origin !== "human" || entry["promptSource"] === "system";
  return { role: "user", marks: isMade ? { machineMade: true } : {} };
}

function fromAssistant(entry: Entry, offset: number, place: Place): Turn {
  const message = entryAt(entry, "message");
  const blocks = blocksIn(entry);
  const isError = entry["isApiErrorMessage"] === true;
  const model = textAt(message, "model");
  const about = common(entry, offset);
  const where = { cwd: textAt(entry, "cwd") ?? place.cwd, root: place.root };
  const thoughts = blocks.map((block) => textAt(block, "thinking") ?? "").filter((text) => text !== "");
  return makeTurn({
    ...about,
    role: isError ? "other" : "assistant",
    text: saidIn(entry),
    thinking: thoughts.join("\n\n"),
    calls: blocks
      .filter((block) => /tool_use$/.test(String(block["type"])))
      .map((block) =>
        makeCall(textAt(block, "id"), textAt(block, "name") ?? "", block["input"], where, tools),
      ),
    model: model === "<synthetic>" ? undefined : model,
    usage: usageFrom(entryAt(message, "usage")),
    group: isError ? undefined : textAt(message, "id"),
    marks: { ...about.marks, ...(isError ? { error: true } : {}) },
  });
}

function usageFrom(usage: Entry): Usage {
  return {
    input: numberAt(usage, "input_tokens"),
    output: numberAt(usage, "output_tokens"),
    cacheRead: numberAt(usage, "cache_read_input_tokens"),
    cacheWrite: numberAt(usage, "cache_creation_input_tokens"),
  };
}

function fromSystem(entry: Entry, offset: number): Parsed {
  const subtype = textAt(entry, "subtype") ?? "(none)";
  if (subtype !== "local_command")
    return PASSED_SYSTEM.has(subtype) ? { passed: `system:${subtype}` } : { unknown: `system:${subtype}` };
  const about = common(entry, offset);
  const text = textAt(entry, "content") ?? "";
  return {
    turns: [makeTurn({ ...about, role: "other", text, marks: { ...about.marks, machineMade: true } })],
  };
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
    return {
      turns: [makeTurn({ ...about, role: "other", text, marks: { ...about.marks, injected: true } })],
    };
  }
  // What a person typed while the agent worked. The host puts it between two steps of the agent.
  if (type === "queued_command") {
    const isMade = (textAt(attachment, "commandMode") ?? "prompt") !== "prompt";
    const marks = { ...about.marks, ...(isMade ? { machineMade: true as const } : {}) };
    return { turns: [makeTurn({ ...about, role: "user", text: textOf(attachment["prompt"]), marks })] };
  }
  return PASSED_ATTACHMENTS.has(type) ? { passed: `attachment:${type}` } : { unknown: `attachment:${type}` };
}

function common(entry: Entry, offset: number) {
  const marks: Marks = entry["isSidechain"] === true ? { sidechain: true } : {};
  return {
    id: textAt(entry, "uuid") ?? `@${offset}`,
    at: timeOf(entry["timestamp"]),
    parent: textAt(entry, "parentUuid") ?? textAt(entry, "logicalParentUuid"),
    offset,
    marks,
  };
}
