import { assertReadable, bounded, editOf, OPERATIONS } from "../../notes/content.ts";
import { defineTool } from "../tool.ts";

export const writeMemory = defineTool({
  name: "WriteMemory",
  summary: "make a note; one that is there already is never replaced",
  params: {
    title: { kind: "text", required: true, help: "a few words; they become the file's name" },
    content: { kind: "text", required: true, help: "Markdown with at least one [[WikiLink]]" },
    folder: { kind: "text", help: "below the memory folder" },
    tags: { kind: "texts", help: "for the frontmatter" },
  },
  async run(given, { memory }) {
    // Programs, and models through them, call this: a secret in what they pass on is replaced.
    const { uri, checksum, title, folder } = await memory.write({
      ...given,
      content: bounded(given.content),
      redacted: true,
    });
    return {
      plain: { uri, checksum, title, folder },
      text: `Created memory FILE: ${uri}\nChecksum: ${checksum}`,
    };
  },
});

export const readMemory = defineTool({
  name: "ReadMemory",
  summary: "a note's text, and the checksum that an edit may be guarded with",
  params: {
    identifier: { kind: "text", required: true, help: "memory://folder/name, or a title" },
    includeChecksum: { kind: "flag", help: "false leaves the checksum out of the text form" },
  },
  async run({ identifier, includeChecksum = true }, { memory }) {
    const note = assertReadable(await memory.read(identifier));
    const created = note.created === undefined ? null : new Date(note.created).toISOString();
    const modified = new Date(note.modified).toISOString();
    return {
      plain: {
        uri: note.uri,
        title: note.title,
        location: note.path,
        created,
        modified,
        checksum: note.checksum,
        content: note.body,
      },
      text: [
        `# ${note.title} (${note.uri})`,
        `**Location**: ${note.path}`,
        `**Created**: ${created ?? "?"}`,
        `**Modified**: ${modified}`,
        ...(includeChecksum ? [`**Checksum**: ${note.checksum}`] : []),
        "",
        note.body,
      ].join("\n"),
      notices: note.problems,
    };
  },
});

export const editMemory = defineTool({
  name: "EditMemory",
  summary: "change a note in place",
  params: {
    identifier: { kind: "text", required: true, help: "memory://folder/name, or a title" },
    operation: { kind: "choice", choices: OPERATIONS, required: true, help: "what to do" },
    content: { kind: "text", required: true, help: "the new text, with a [[WikiLink]]" },
    findText: { kind: "text", help: "find_replace: what to replace" },
    expectedCount: {
      kind: "whole",
      min: 0,
      max: 1_000_000,
      help: "find_replace: how often it must be there",
    },
    sectionName: { kind: "text", help: "replace_section: the heading" },
    checksum: { kind: "text", help: "of the note as it was read: any other is left alone" },
  },
  async run(given, { memory }) {
    const options = { redacted: true, ...(given.checksum === undefined ? {} : { checksum: given.checksum }) };
    const { uri, checksum } = await memory.edit(
      given.identifier,
      editOf({ ...given, content: bounded(given.content) }),
      options,
    );
    return {
      plain: { uri, operation: given.operation, checksum },
      text: `Edited memory FILE: ${uri} (${given.operation})\nChecksum: ${checksum}`,
    };
  },
});

export const deleteMemory = defineTool({
  name: "DeleteMemory",
  summary: "delete a note for good",
  params: {
    identifier: { kind: "text", required: true, help: "memory://folder/name, or a title" },
    confirm: { kind: "flag", help: "must be true" },
  },
  async run({ identifier, confirm = false }, { memory }) {
    const { uri } = await memory.delete(identifier, confirm);
    return { plain: { uri, deleted: true }, text: `Deleted memory FILE: ${uri}` };
  },
});

export const moveMemory = defineTool({
  name: "MoveMemory",
  summary: "give a note another name or folder",
  params: {
    source: { kind: "text", required: true, help: "memory://folder/name, or a title" },
    destination: {
      kind: "text",
      required: true,
      help: "a path or an address; with a slash at its end a folder",
    },
  },
  async run({ source, destination }, { memory }) {
    const { uri, from } = await memory.move(source, destination);
    return { plain: { uri, from }, text: `Moved memory FILE: ${from} → ${uri}` };
  },
});
