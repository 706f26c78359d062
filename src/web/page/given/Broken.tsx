import type { BrokenRule } from "../../api/given.ts";
import { count } from "../core/format.ts";
import { Facts } from "../parts/Facts.tsx";
import type { Owner } from "./Items.tsx";
import { Mute } from "./Mute.tsx";

const KINDS: Readonly<Record<string, string>> = {
  edits: "an edit",
  commands: "a command",
  calls: "a tool call",
  answer: "the answer",
  done: "the end of the work",
  run: "the rule's own command",
};

/** Where a rule was broken: file and line, or the offending text. */
export function placeOf({ path, line, on, text }: BrokenRule): string {
  if (path !== undefined) return line === undefined ? path : `${path}:${line}`;
  return text === "" ? (KINDS[on] ?? on) : text;
}

/** Everything known about one breach, and a way to turn the rule off. */
export function Broken({ of, owner }: { of: BrokenRule; owner: Owner }) {
  const when = [
    ...(of.isAfterReminder ? ["after a reminder in the same session"] : []),
    ...(of.isAfterCompaction ? ["after a compaction"] : []),
  ];
  return (
    <div class="broken flex wrap between start gap-2-4">
      <Facts
        of={[
          ["Rule", of.name],
          [
            "File",
            of.path !== undefined && (
              <>
                <code>{of.path}</code>
                {of.line !== undefined && `, line ${of.line}`}
              </>
            ),
          ],
          ["Found in", KINDS[of.on] ?? of.on],
          ["Text", of.text !== "" && <code class="broken-text pre-wrap">{of.text}</code>],
          ["More", of.more !== undefined && `${count(of.more, "further place")} in the same call`],
          ["When", when.length > 0 && when.join(", ")],
        ]}
      />
      <Mute
        source="rules"
        itemKey={of.rule}
        label={of.name}
        session={{ host: owner.host, id: owner.id }}
        project={owner.project}
      />
    </div>
  );
}
