import type { Range, Title } from "../../../moments/ports/history.ts";
import type { Marks, Turn } from "../../../moments/ports/turn.ts";
import {
  type Entry,
  entryAt,
  listAt,
  numberAt,
  textAt,
  textOf,
  timeOf,
} from "../../shared/history/fields.ts";
import { imagesIn } from "../../shared/history/images.ts";
import type { LineParser, Parsed } from "../../shared/history/read-json-lines.ts";
import { makeCall, makeTurn, type Place } from "../../shared/history/turns.ts";
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
      const isOther = otherBranches.some(({ from, to }) => offset >= from && offset < to);
      return parse(entry, offset, isOther ? { otherBranch: true } : {}, place);
    },
  };
}

function parse(entry: Entry, offset: number, marks: Marks, place: Place): Parsed {
  const type = textAt(entry, "type") ?? "(none)";
  const about = {
    id: textAt(entry, "id") ?? `@${offset}`,
    parent: textAt(entry, "parentId"),
    at: timeOf(entry["timestamp"]),
    offset,
    marks,
  };
  const summary = textAt(entry, "summary") ?? "";
  switch (type) {
    case "message":
      return fromMessage(entryAt(entry, "message"), about, place);
    case "compaction":
      return {
        turns: [
          makeTurn({ ...about, role: "summary", text: summary, marks: { ...marks, compaction: true } }),
        ],
      };
    // A summary of an abandoned branch, for the branch that goes on.
    case "branch_summary":
      return { turns: [makeTurn({ ...about, role: "summary", text: summary })] };
    case "custom_message":
      return { turns: [injectedTurn(about, textOf(entry["content"]), textAt(entry, "customType"))] };
    default:
      return PASSED.has(type) ? { passed: type } : { unknown: type };
  }
}

type About = Pick<Turn, "id" | "offset" | "marks"> & {
  readonly parent: string | undefined;
  readonly at: number | undefined;
};

function fromMessage(message: Entry, about: About, place: Place): Parsed {
  const role = textAt(message, "role") ?? "(none)";
  const text = textOf(message["content"]);
  const images = imagesIn(message["content"]);
  switch (role) {
    case "user":
      return { turns: [makeTurn({ ...about, role, text, images })] };
    case "assistant":
      return { turns: [fromAssistant(message, text, about, place)] };
    case "toolResult": {
      const name = textAt(message, "toolName");
      const answer = {
        call: textAt(message, "toolCallId") ?? "",
        ...(name === undefined ? {} : { name }),
        ...(message["isError"] === true ? { failed: true as const } : {}),
      };
      return { turns: [makeTurn({ ...about, role: "tool", text, images, answers: [answer] })] };
    }
    // A command that the person ran. The model gets its output.
    case "bashExecution": {
      const ran = `$ ${textAt(message, "command") ?? ""}\n${textAt(message, "output") ?? ""}`;
      return {
        turns: [
          makeTurn({ ...about, role: "other", text: ran, marks: { ...about.marks, machineMade: true } }),
        ],
      };
    }
    case "custom":
    case "hookMessage":
      return { turns: [injectedTurn(about, text, textAt(message, "customType"))] };
    case "branchSummary":
    case "compactionSummary":
      return { turns: [makeTurn({ ...about, role: "summary", text: textAt(message, "summary") ?? text })] };
    case "system":
      return { passed: "message:system" };
    default:
      return { unknown: `message:${role}` };
  }
}

function fromAssistant(message: Entry, text: string, about: About, place: Place): Turn {
  const blocks = listAt(message, "content");
  const thoughts = blocks.map((block) => textAt(block, "thinking") ?? "").filter((thought) => thought !== "");
  const usage = entryAt(message, "usage");
  const failure = message["stopReason"] === "error" ? textAt(message, "errorMessage") : undefined;
  return makeTurn({
    ...about,
    role: "assistant",
    text: text === "" && failure !== undefined ? failure : text,
    thinking: thoughts.join("\n\n"),
    calls: blocks
      .filter((block) => block["type"] === "toolCall")
      .map((block) =>
        makeCall(textAt(block, "id"), textAt(block, "name") ?? "", block["arguments"], place, tools),
      ),
    model: textAt(message, "model"),
    usage: {
      input: numberAt(usage, "input"),
      output: numberAt(usage, "output"),
      cacheRead: numberAt(usage, "cacheRead"),
      cacheWrite: numberAt(usage, "cacheWrite"),
    },
    marks: { ...about.marks, ...(failure === undefined ? {} : { error: true }) },
  });
}

function injectedTurn(about: About, text: string, kind: string | undefined): Turn {
  const ours = kind === CUSTOM_TYPE ? { ours: true as const } : {};
  return makeTurn({ ...about, role: "other", text, marks: { ...about.marks, injected: true, ...ours } });
}

/**
 * The newest title of a session, from its entries. pi does not say who set it, so it counts as a person's, unless a note
 * of Continuo after it says that Continuo did. A fork has copies of both.
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
