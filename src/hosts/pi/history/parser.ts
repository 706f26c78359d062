import type { Range, Title } from "../../../moments/ports/history.ts";
import type { Marks, Turn } from "../../../moments/ports/turn.ts";
import {
  type Entry,
  entryAt,
  listAt,
  textAt,
  textOf,
  thoughtsIn,
  usageIn,
} from "../../shared/history/fields.ts";
import type { LineParser, Parsed } from "../../shared/history/read-json-lines.ts";
import {
  type About,
  aboutLine,
  answerTo,
  imagesIn,
  makeCall,
  makeTurn,
  oneTurn,
  type Place,
} from "../../shared/history/turns.ts";
import { CUSTOM_TYPE, namedByContinuo } from "../conversation.ts";
import { tools } from "../tools.ts";

const PASSED: ReadonlySet<string> = new Set([
  "session",
  "model_change",
  "thinking_level_change",
  // Data of extensions, which the model never sees.
  "custom",
  "label",
  "session_info",
  "usage",
  "context_edit",
]);

/** pi's session files. The first version has no ids; later ones are a tree. */
export function piParser(place: Place, otherBranches: readonly Range[]): LineParser {
  const titles = createTitles();
  return {
    otherBranches,
    title: titles.newest,
    parse(entry, offset) {
      titles.see(entry);
      return parse(entry, offset, place);
    },
  };
}

function parse(entry: Entry, offset: number, place: Place): Parsed {
  const type = textAt(entry, "type") ?? "(none)";
  const about = aboutLine(entry, offset);
  const summary = textAt(entry, "summary") ?? "";
  switch (type) {
    case "message":
      return fromMessage(entryAt(entry, "message"), about, place);
    case "compaction":
      return oneTurn({ ...about, role: "summary", text: summary, mark: "compaction" });
    // A summary of an abandoned branch, for the branch that continues.
    case "branch_summary":
      return oneTurn({ ...about, role: "summary", text: summary });
    case "custom_message":
      return injected(about, textOf(entry["content"]), textAt(entry, "customType"));
    default:
      return PASSED.has(type) ? { passed: type } : { unknown: type };
  }
}

function fromMessage(message: Entry, about: About, place: Place): Parsed {
  const role = textAt(message, "role") ?? "(none)";
  const text = textOf(message["content"]);
  const images = imagesIn(message["content"]);
  switch (role) {
    case "user":
      return oneTurn({ ...about, role, text, images });
    case "assistant":
      return { turns: [fromAssistant(message, text, about, place)] };
    case "toolResult": {
      const facts = { name: textAt(message, "toolName"), failed: message["isError"] === true };
      const answers = [answerTo(textAt(message, "toolCallId"), facts)];
      return oneTurn({ ...about, role: "tool", text, images, answers });
    }
    // A command that the user ran. The model gets its output.
    case "bashExecution": {
      const ran = `$ ${textAt(message, "command") ?? ""}\n${textAt(message, "output") ?? ""}`;
      return oneTurn({ ...about, role: "other", text: ran, mark: "machineMade" });
    }
    case "custom":
    case "hookMessage":
      return injected(about, text, textAt(message, "customType"));
    case "branchSummary":
    case "compactionSummary":
      return oneTurn({ ...about, role: "summary", text: textAt(message, "summary") ?? text });
    case "system":
      return { passed: "message:system" };
    default:
      return { unknown: `message:${role}` };
  }
}

function fromAssistant(message: Entry, text: string, about: About, place: Place): Turn {
  const blocks = listAt(message, "content");
  const failure = message["stopReason"] === "error" ? textAt(message, "errorMessage") : undefined;
  return makeTurn({
    ...about,
    role: "assistant",
    text: text === "" && failure !== undefined ? failure : text,
    thinking: thoughtsIn(blocks),
    calls: blocks
      .filter((block) => block["type"] === "toolCall")
      .map((block) =>
        makeCall(textAt(block, "id"), textAt(block, "name") ?? "", block["arguments"], place, tools),
      ),
    model: textAt(message, "model"),
    usage: usageIn(entryAt(message, "usage"), ["input", "output", "cacheRead", "cacheWrite"]),
    mark: failure === undefined ? undefined : "error",
  });
}

function injected(about: About, text: string, kind: string | undefined): Parsed {
  const marks: Marks = kind === CUSTOM_TYPE ? { ours: true } : {};
  return oneTurn({ ...about, role: "other", text, mark: "injected", marks });
}

/**
 * Finds a session's newest title in its entries. pi does not record who set it, so it counts as the user's, unless a
 * later note by Continuo says that Continuo did. A fork contains copies of both.
 */
export function createTitles(): { see(entry: Entry): void; newest(): Title | undefined } {
  let title: Title | undefined;
  let named: unknown;
  return {
    newest: () => title,
    see(entry) {
      const name = entry["type"] === "session_info" ? textAt(entry, "name") : undefined;
      if (name !== undefined) {
        title = { text: name, by: "person" };
        named = entry["id"];
      } else if (title !== undefined && namedByContinuo(entry).includes(named))
        title = { ...title, by: "host" };
    },
  };
}
