import * as v from "valibot";

const filled = v.pipe(v.string(), v.nonEmpty());
const time = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
  v.check((text) => !Number.isNaN(Date.parse(text))),
);
const tally = {
  accepted: v.pipe(v.number(), v.integer(), v.minValue(0)),
  rejected: v.pipe(v.number(), v.integer(), v.minValue(0)),
};
const said = { content: filled, source: filled, extractedAt: time };
const learnings = v.array(
  v.strictObject({
    id: v.string(),
    ...said,
    confirmedAt: v.optional(time),
    confirmed: v.boolean(),
    tags: v.array(v.string()),
  }),
);

const PARTS = {
  identity: v.strictObject({
    principalName: filled,
    aiName: filled,
    catchphrase: filled,
    voiceId: v.string(),
    preferences: v.strictObject({
      responseStyle: v.picklist(["concise", "detailed", "adaptive"]),
      timezone: v.string(),
      locale: v.string(),
    }),
  }),
  learned: v.strictObject({ patterns: learnings, insights: learnings, selfKnowledge: learnings }),
  state: v.strictObject({
    lastSessionId: v.optional(v.string()),
    lastSessionAt: v.optional(time),
    proposals: v.array(
      v.strictObject({
        id: v.string(),
        type: v.picklist(["pattern", "insight", "self_knowledge"]),
        ...said,
        status: v.picklist(["pending", "accepted", "rejected"]),
        method: v.optional(v.picklist(["acr", "regex"])),
        confidence: v.optional(v.number()),
        decidedAt: v.optional(time),
      }),
    ),
    activeProjects: v.array(v.string()),
    checkpointRef: v.optional(v.string()),
    extractionStats: v.optional(
      v.strictObject({
        ...tally,
        byType: v.strictObject({
          pattern: v.optional(v.object(tally)),
          insight: v.optional(v.object(tally)),
          self_knowledge: v.optional(v.object(tally)),
        }),
        confidenceSum: v.object({ accepted: v.number(), rejected: v.number() }),
        confidenceCount: v.object(tally),
      }),
    ),
  }),
};

/**
 * A reader as strict as the strictest program that shares the file, written from the format's description and not from
 * Continuo's checks: it names every field, in the order in which the other program writes it, and rejects everything else,
 * except for unknown top-level keys.
 */
export function strictlyRead(text: string): string[] {
  const problems: string[] = [];
  const root = JSON.parse(text) as Record<string, unknown>;
  if (text !== `${JSON.stringify(root, null, 2)}\n`)
    problems.push("not indented by two spaces, or no newline at the end");
  if (!/^1\.\d+\.\d+$/.test(String(root["version"]))) problems.push("version");
  for (const [name, schema] of Object.entries(PARTS)) {
    const read = v.safeParse(schema, root[name]);
    problems.push(...(read.issues ?? []).map((issue) => `${name}.${v.getDotPath(issue)}: ${issue.message}`));
    // The schema's output has the fields in its order.
    if (read.success && JSON.stringify(read.output) !== JSON.stringify(root[name]))
      problems.push(`order of ${name}`);
  }
  const ids = Object.values(root["learned"] as Record<string, { id: string }[]>).flatMap((all) =>
    all.map(({ id }) => id),
  );
  if (new Set(ids).size !== ids.length) problems.push("two learnings have one id");
  return problems;
}
