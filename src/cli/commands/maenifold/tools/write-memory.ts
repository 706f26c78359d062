import { bounded } from "../../notes/content.ts";
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
