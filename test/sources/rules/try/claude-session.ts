import { write } from "../../../support/world.ts";

/** One step of a session in Claude Code, in the shapes that the program writes. */
export type Step =
  | { readonly user: string }
  | { readonly says: string }
  | {
      readonly tool: string;
      readonly input: object;
      readonly fails?: boolean;
      /** What the model gets, and what the host keeps besides. */
      readonly result?: string;
      readonly kept?: object;
    };

export const edit = (file: string, text: string, more: { fails?: boolean } = {}): Step => ({
  tool: "Edit",
  input: { file_path: file, old_string: "", new_string: text },
  ...more,
});
/** The whole file. `kept`: as newer versions of the host keep it. */
export const writeFile = (
  file: string,
  content: string,
  more: { fails?: boolean; kept?: object } = {},
): Step => ({
  tool: "Write",
  input: { file_path: file, content },
  ...more,
});
export const read = (file: string, result: string, more: { fails?: boolean } = {}): Step => ({
  tool: "Read",
  input: { file_path: file },
  result,
  ...more,
});
export const bash = (command: string, more: { fails?: boolean } = {}): Step => ({
  tool: "Bash",
  input: { command },
  ...more,
});

export interface Session {
  readonly id: string;
  readonly cwd: string;
  readonly steps: readonly Step[];
  readonly title?: string;
  /** Of the first step; the others follow by seconds. */
  readonly at?: string;
}

/** Writes a session below a user's home; relative files of its edits lie in its folder. */
export function writeSession(
  home: string,
  { id, cwd, steps, title, at = new Date().toISOString() }: Session,
): string {
  const begun = Date.parse(at);
  let count = 0;
  const line = (type: string, more: object): string => {
    const time = new Date(begun + 1000 * ++count).toISOString();
    return JSON.stringify({
      type,
      cwd,
      sessionId: id,
      uuid: `${id}-${count}`,
      isSidechain: false,
      timestamp: time,
      ...more,
    });
  };
  const user = (content: unknown, more: object = {}) =>
    line("user", { message: { role: "user", content }, ...more });
  const assistant = (block: object) =>
    line("assistant", { message: { id: `msg_${id}_${count}`, role: "assistant", content: [block] } });
  const lines = steps.flatMap((step): string[] => {
    if ("user" in step) return [user(step.user)];
    if ("says" in step) return [assistant({ type: "text", text: step.says })];
    const call = `toolu_${id}_${count}`;
    const input = Object.fromEntries(
      Object.entries(step.input).map(([key, value]) => [
        key,
        key === "file_path" ? `${cwd}/${value}` : value,
      ]),
    );
    return [
      assistant({ type: "tool_use", id: call, name: step.tool, input }),
      user(
        [
          {
            type: "tool_result",
            tool_use_id: call,
            content: step.result ?? "…",
            ...(step.fails ? { is_error: true } : {}),
          },
        ],
        { toolUseResult: step.kept ?? {} },
      ),
    ];
  });
  const path = `.claude/projects/-work/${id}.jsonl`;
  const titled = title === undefined ? [] : [JSON.stringify({ type: "custom-title", customTitle: title })];
  write(home, { [path]: `${[...lines, ...titled].join("\n")}\n` });
  return `${home}/${path}`;
}
