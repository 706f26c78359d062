import { bounded } from "../../notes/content.ts";
import { editOf, OPERATIONS } from "../../notes/edit-of.ts";
import { defineTool } from "../tool.ts";

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
