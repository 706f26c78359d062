import { assertReadable } from "../../notes/readable.ts";
import { defineTool } from "../tool.ts";

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
