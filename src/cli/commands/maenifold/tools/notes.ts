import { bounded, editOf, OPERATIONS } from "../../../../sources/notes/actions/edit.ts";
import { assertReadable } from "../../../../sources/notes/actions/read.ts";
import { defineTool } from "../tool.ts";

export const writeMemory = defineTool({
  name: "WriteMemory",
  summary: "write a new note; never replaces an existing one",
  params: {
    title: { kind: "text", required: true, help: "a few words; used as the file name" },
    content: { kind: "text", required: true, help: "Markdown with at least one [[WikiLink]]" },
    folder: { kind: "text", help: "folder within the memory folder" },
    tags: { kind: "texts", help: "for the frontmatter" },
  },
  async run(given, { memory }) {
    // Called by programs and models, so secrets in the text are redacted.
    const { uri, checksum, title, folder } = await memory.write({
      ...given,
      content: bounded(given.content),
      redacted: true,
      isLinkRequired: true,
    });
    return {
      plain: { uri, checksum, title, folder },
      text: `Created memory FILE: ${uri}\nChecksum: ${checksum}`,
    };
  },
});

export const readMemory = defineTool({
  name: "ReadMemory",
  summary: "read a note, with the checksum for a safe edit",
  params: {
    identifier: { kind: "text", required: true, help: "memory://folder/name, or a title" },
    includeChecksum: { kind: "flag", help: "false omits the checksum in the text format" },
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
  summary: "edit a note in place",
  params: {
    identifier: { kind: "text", required: true, help: "memory://folder/name, or a title" },
    operation: { kind: "choice", choices: OPERATIONS, required: true, help: "the kind of edit" },
    content: { kind: "text", required: true, help: "the new text, with a [[WikiLink]]" },
    findText: { kind: "text", help: "find_replace: the text to replace" },
    expectedCount: {
      kind: "whole",
      min: 0,
      max: 1_000_000,
      help: "find_replace: how often the text must occur",
    },
    sectionName: { kind: "text", help: "replace_section: the heading" },
    checksum: { kind: "text", help: "edit only if the note still has this checksum" },
  },
  async run(given, { memory }) {
    const options = {
      redacted: true,
      isLinkRequired: true,
      checksum: given.checksum,
    };
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
  summary: "delete a note permanently",
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
  summary: "rename a note or move it to another folder",
  params: {
    source: { kind: "text", required: true, help: "memory://folder/name, or a title" },
    destination: {
      kind: "text",
      required: true,
      help: "a path or an address; a folder if it ends with a slash",
    },
  },
  async run({ source, destination }, { memory }) {
    const { uri, from } = await memory.move(source, destination);
    return { plain: { uri, from }, text: `Moved memory FILE: ${from} → ${uri}` };
  },
});
