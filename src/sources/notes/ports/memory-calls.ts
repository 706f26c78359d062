import type { InferOutput } from "valibot";
import { ContinuoError, describeError } from "../../../base/errors.ts";
import { quoteLine } from "../../../compose/escape.ts";
import { fields, flag, oneOf, optional, text, whole } from "../../../moments/actions/fields.ts";
import { checkTold } from "../../../moments/actions/input.ts";
import type { InputSchema } from "../../../moments/ports/action.ts";
import type { Finder } from "../../../moments/ports/finder.ts";
import type { ListedResource } from "../../../moments/ports/resource.ts";
import type { ToolAnswer, ToolContext } from "../../../moments/ports/tool.ts";
import {
  CONCEPT,
  content,
  DEPTH,
  EDIT,
  KIND,
  MOST_CONCEPTS,
  NEW_NOTE,
  NOTE,
  TIMESPAN,
} from "../actions/fields.ts";
import { type Edit, shortChecksum } from "../files/edit-note.ts";
import { tellModel } from "../files/failures.ts";
import { walkNotes } from "../files/list-notes.ts";
import { propertyLines } from "../files/properties.ts";
import { SCHEME } from "../files/uri.ts";
import { LINK_TIP } from "../files/wikilinks.ts";
import type { ConceptContext } from "../graph/build-context.ts";
import { type Memory, withMemory } from "../memory.ts";
import { stampAt } from "../note-project.ts";
import { searchMemories } from "./search-memories.ts";

/** The longest list for a model. */
const MAX_RESULTS = 50;
const LONGEST_NOTE = 40_000;

/** Expected errors are returned to the model, which can react to them; bugs are thrown. */
export async function callTool(
  name: string,
  args: unknown,
  call: ToolContext,
  finders: readonly Finder[],
): Promise<ToolAnswer> {
  try {
    const text = await (name === "search_memories"
      ? searchMemories(args, call, finders)
      : withMemory(call, (memory) => onNotes(name)(memory, args, call)));
    return { ok: true, text };
  } catch (error) {
    if (describeError(error).code === "bug") throw error;
    return { ok: false, text: tellModel(error) };
  }
}

function onNotes(name: string): OnNotes {
  const run = ON_NOTES[name];
  if (run === undefined) throw new Error(`no tool ${name}`);
  return run;
}

const EDIT_INPUT = fields({
  identifier: NOTE,
  operation: optional(oneOf("what to do", ["append", "replace"])),
  content: optional(content("what to add", "word")),
  find: EDIT.find,
  count: optional(whole("how often find must occur", 1, 1_000_000)),
  section: EDIT.section,
  checksum: EDIT.checksum,
});

type OnNotes = (memory: Memory, args: unknown, call: ToolContext) => Promise<string>;

/** Reads the arguments by the fields of the actions, under the tool's names for them. */
function told<S extends InputSchema>(
  input: S,
  run: (memory: Memory, input: InferOutput<S>, call: ToolContext) => Promise<string>,
): OnNotes {
  return async (memory, args, call) => run(memory, checkTold(input, args), call);
}

const ON_NOTES: Readonly<Record<string, OnNotes>> = {
  read_memory: told(fields({ identifier: NOTE }), async (memory, { identifier }) => {
    const note = await memory.read(identifier);
    const { uri, title, body, modified, checksum, tags, problems } = note;
    const about = [
      uri,
      `modified ${day(modified)}`,
      `checksum ${shortChecksum(checksum)}`,
      ...(tags.length > 0 ? [`tags: ${tags.join(", ")}`] : []),
    ];
    const rest = body.length - LONGEST_NOTE;
    return [
      quoteLine(`${title} (${about.join("; ")})`),
      ...propertyLines(note.properties).map(quoteLine),
      ...problems.map((problem) => quoteLine(`Note: ${problem}`)),
      "",
      rest > 0
        ? `${body.slice(0, LONGEST_NOTE).toWellFormed()}\n[${rest} more characters in the file]`
        : body.trim(),
    ].join("\n");
  }),
  write_memory: told(
    fields({
      title: text("title of the note"),
      content: content("the note, in Markdown", "word"),
      folder: NEW_NOTE.folder,
      tags: NEW_NOTE.tag,
      project: NEW_NOTE.project,
    }),
    async (memory, { project, ...given }, call) => {
      const { uri, isLinked } = await memory.write({ ...given, redacted: true, ...stampAt(call, project) });
      return isLinked ? `Written: ${uri}` : `Written: ${uri} (${LINK_TIP})`;
    },
  ),
  edit_memory: told(EDIT_INPUT, async (memory, { identifier, checksum, ...input }) => {
    const edited = await memory.edit(identifier, editOf(input), { redacted: true, checksum });
    return `Edited: ${edited.uri} (checksum ${shortChecksum(edited.checksum)})`;
  }),
  build_context: told(
    fields({
      conceptName: CONCEPT,
      depth: DEPTH,
      maxEntities: MOST_CONCEPTS,
      includeContent: optional(flag("show an excerpt of each note")),
    }),
    async (memory, input) => showContext(await memory.buildContext(input)),
  ),
  recent_activity: told(
    fields({ limit: optional(whole("at most this many", 1, MAX_RESULTS)), filter: KIND, timespan: TIMESPAN }),
    async (memory, { limit = 10, filter = "all", timespan }) => {
      const notes = await memory.recent({ limit, kind: filter, timespan });
      if (notes.length === 0) return "No note changed in that time.";
      return notes
        .map(({ title, uri, modified, concepts }) => {
          const links = concepts.length > 0 ? `: ${concepts.slice(0, 8).join(", ")}` : "";
          return quoteLine(`- ${day(modified)} ${title} (${uri})${links}`);
        })
        .join("\n");
    },
  ),
};

function showContext({ concept, notes, direct, expanded, siblings }: ConceptContext): string {
  if (direct.length === 0 && notes.length > 0)
    return quoteLine(`${concept} is named by ${notes.join(", ")}, without related concepts.`);
  if (direct.length === 0) return `No note connects "${concept}" with anything.`;
  return [
    `${concept} occurs in the same notes as:`,
    ...direct.flatMap(({ name, notes, files, preview = {} }) => [
      quoteLine(`- ${name} (${notes} ${notes === 1 ? "note" : "notes"}): ${files.join(", ")}`),
      ...Object.entries(preview).map(([uri, text]) => `  ${quoteLine(`${uri}: ${text}`)}`),
    ]),
    ...(expanded.length > 0 ? [`Further away: ${expanded.join(", ")}`] : []),
    ...(siblings.length > 0 ? [`Of the same group: ${siblings.map(({ name }) => name).join(", ")}`] : []),
  ].join("\n");
}

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace("T", " ");
}

/** Users choose from the most recently changed notes; all others are found by completion. */
const LISTED = 50;
const COMPLETED = 100;

export async function readResource(path: string, call: ToolContext): Promise<string | undefined> {
  return withMemory(call, async (memory) => {
    try {
      return (await memory.read(SCHEME + path)).body;
    } catch (error) {
      if (describeError(error).code === "note-not-found") return undefined;
      throw error;
    }
  });
}

export async function listResources(call: ToolContext): Promise<readonly ListedResource[]> {
  return withMemory(call, async (memory) =>
    (await memory.recent({ limit: LISTED })).map(({ uri, title, modified }) => ({
      uri: encoded(uri),
      name: title,
      description: `changed ${new Date(modified).toISOString().slice(0, 10)}`,
    })),
  );
}

/** First addresses that begin with the typed text, then those that contain it. */
export async function completeResource(typed: string, call: ToolContext): Promise<readonly string[]> {
  return withMemory(call, async (memory) => {
    const wanted = typed.toLowerCase();
    const first: string[] = [];
    const then: string[] = [];
    for (const root of memory.roots) {
      for (const { uri } of walkNotes(root)) {
        const path = uri.slice(SCHEME.length);
        const at = path.toLowerCase().indexOf(wanted);
        if (at === 0) first.push(path);
        else if (at > 0 && then.length < COMPLETED) then.push(path);
        if (first.length === COMPLETED) return first;
      }
    }
    return [...first, ...then].slice(0, COMPLETED);
  });
}

/** Percent-encoded as in MCP, because clients decode addresses. */
function encoded(uri: string): string {
  const parts = uri.slice(SCHEME.length).split("/");
  return SCHEME + parts.map((part) => encodeURIComponent(part).replace(/^%40/, "@")).join("/");
}

/**
 * `operation` may be omitted: with a text to find, it is a replacement, otherwise an append. A replacement is made only
 * if its text occurs exactly as often as expected: once, unless the model says otherwise.
 */
function editOf({
  content = "",
  find: findText,
  section: sectionName,
  count = 1,
  ...said
}: Omit<InferOutput<typeof EDIT_INPUT>, "identifier" | "checksum">): Edit {
  const operation = said.operation ?? (findText === undefined ? "append" : "replace");
  // Only a replacement may have empty text: it deletes the text that it found.
  if (content.trim() === "" && (operation === "append" || findText === undefined))
    throw new ContinuoError("invalid-argument", "content is missing", { hint: "give a text" });
  if (operation === "append") {
    if (findText !== undefined)
      throw new ContinuoError("invalid-argument", "append does not use find", {
        hint: "give section, or operation replace",
      });
    return { operation, content, sectionName };
  }
  if ((findText === undefined) === (sectionName === undefined))
    throw new ContinuoError("invalid-argument", "replace needs either find or section", {
      hint: "find is the exact text to replace, section the heading whose text is replaced",
    });
  if (sectionName !== undefined) return { operation: "replace_section", content, sectionName };
  return { operation: "find_replace", content, findText: findText ?? "", expectedCount: count };
}
