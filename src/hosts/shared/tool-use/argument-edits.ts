import { isRecord, parseBounded } from "../../../base/json.ts";
import type { Edit, FileAccess } from "../../../moments/tool-use.ts";
import { addedHunks, wholeText } from "./added-lines.ts";
import type { HostTool } from "./host-tools.ts";
import { patchEdits, patchedFiles } from "./patches.ts";

/** Builds the kinds of tools that hosts have, from the names of their arguments. */

type Input = Readonly<Record<string, unknown>>;
/** Possible names of an argument: the first that exists is used. */
type Names = string | readonly string[];

export function reads(path: Names): HostTool {
  return { files: (input) => named(input, path, "read") };
}

/** The argument is a file's whole content. `isNew`: the tool refuses to replace a file. */
export function writes(path: Names, content: Names, isNew?: true): HostTool {
  return {
    files: (input) => named(input, path, "edit"),
    edits(input) {
      const text = given(input, content);
      if (text === undefined) return [];
      const hunks = wholeText(text, 1);
      return edited(input, path, { kind: "whole", hunks, ...(isNew === true ? { isNew } : {}) });
    },
  };
}

interface Replacing {
  readonly old: Names;
  readonly new: Names;
  /** The argument with a list of replacements, which use the same two names. */
  readonly several?: string;
  /** What an empty old text means: the file is created, or its whole content is replaced. */
  readonly empty?: "new" | "whole";
}

/** Replaces texts by others. Replacing every occurrence counts once. */
export function replaces(path: Names, names: Replacing): HostTool {
  return {
    files: (input) => named(input, path, "edit"),
    edits(input) {
      const all = replacements(input, names);
      const [first] = all;
      if (all.length === 1 && first?.old === "" && names.empty !== undefined) {
        const isNew = names.empty === "new" ? { isNew: true } : {};
        return edited(input, path, { kind: "whole", hunks: wholeText(first.new, 1), ...isNew });
      }
      const hunks = all.flatMap((one) => addedHunks(one.old, one.new));
      return edited(input, path, { kind: "part", hunks });
    },
  };
}

/** Inserts text between the lines of a file. */
export function inserts(path: Names, content: Names): HostTool {
  return {
    files: (input) => named(input, path, "edit"),
    edits: (input) => edited(input, path, { kind: "part", hunks: wholeText(given(input, content) ?? "") }),
  };
}

/** Applies a patch that names its files itself. */
export function patches(patch: Names): HostTool {
  return {
    files: (input) => patchedFiles(given(input, patch) ?? ""),
    edits: (input) => patchEdits(given(input, patch) ?? ""),
  };
}

export function runs(command: Names): HostTool {
  return { command: (input) => given(input, command) };
}

function replacements(input: Input, { old, new: fresh, several }: Replacing): { old: string; new: string }[] {
  const list = several === undefined ? [] : listIn(input[several]);
  return [input, ...list].flatMap((one) => {
    const text = given(one, fresh);
    return text === undefined ? [] : [{ old: given(one, old) ?? "", new: text }];
  });
}

/** Models send a list, an object, or either of them as JSON text; hosts accept them all. */
function listIn(value: unknown): Input[] {
  let list = value;
  if (typeof value === "string") {
    try {
      list = parseBounded(value);
    } catch {
      return []; // the host cannot read it either
    }
  }
  return (Array.isArray(list) ? list : [list]).filter(isRecord);
}

function given(input: Input, names: Names): string | undefined {
  const values = (typeof names === "string" ? [names] : names).map((name) => input[name]);
  return values.find((value) => typeof value === "string");
}

function named(input: Input, names: Names, access: FileAccess["access"]): FileAccess[] {
  const path = given(input, names) ?? "";
  return path === "" ? [] : [{ path, access }];
}

/** An edit of the file that a call names. An edit that adds nothing is left out, unless it creates the file. */
function edited(input: Input, names: Names, edit: Omit<Edit, "path">): Edit[] {
  const path = given(input, names) ?? "";
  return path === "" || (edit.hunks.length === 0 && edit.kind === "part") ? [] : [{ path, ...edit }];
}
