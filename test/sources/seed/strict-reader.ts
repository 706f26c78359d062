/**
 * A reader as strict as the strictest program that shares the file, written from the format's description and not from
 * Continuo's checks: it names every field and rejects everything else, except for unknown top-level keys.
 */
export function strictlyRead(text: string): string[] {
  const problems: string[] = [];
  if (!text.endsWith("\n")) problems.push("no newline at the end");
  const root = JSON.parse(text) as Node;
  if (text !== `${JSON.stringify(root, null, 2)}\n`) problems.push("not indented by two spaces");
  if (!/^1\.\d+\.\d+$/.test(String(root["version"]))) problems.push("version");
  const identity = object(root["identity"], "identity");
  only(identity, "identity", ["principalName", "aiName", "catchphrase", "voiceId", "preferences"]);
  for (const key of ["principalName", "aiName", "catchphrase"]) filled(identity[key], key);
  string(identity["voiceId"], "voiceId");
  const preferences = object(identity["preferences"], "preferences");
  only(preferences, "preferences", ["responseStyle", "timezone", "locale"]);
  among(preferences["responseStyle"], ["concise", "detailed", "adaptive"], "responseStyle");
  string(preferences["timezone"], "timezone");
  string(preferences["locale"], "locale");
  const learned = object(root["learned"], "learned");
  only(learned, "learned", ["patterns", "insights", "selfKnowledge"]);
  for (const category of ["patterns", "insights", "selfKnowledge"]) {
    for (const one of array(learned[category], category)) readLearning(object(one, category));
  }
  const state = object(root["state"], "state");
  const ofState = ["lastSessionId", "lastSessionAt", "proposals", "activeProjects", "checkpointRef"];
  only(state, "state", [...ofState, "extractionStats"]);
  if ("lastSessionId" in state) string(state["lastSessionId"], "lastSessionId");
  if ("lastSessionAt" in state) time(state["lastSessionAt"], "lastSessionAt");
  if ("checkpointRef" in state) string(state["checkpointRef"], "checkpointRef");
  for (const name of array(state["activeProjects"], "activeProjects")) string(name, "activeProjects");
  for (const one of array(state["proposals"], "proposals")) readProposal(object(one, "proposal"));
  if ("extractionStats" in state) readStats(object(state["extractionStats"], "stats"));
  const ids = [
    ...["patterns", "insights", "selfKnowledge"].flatMap((category) =>
      array(learned[category], category).map((one) => (one as Node)["id"]),
    ),
  ];
  if (new Set(ids).size !== ids.length) problems.push("two learnings have one id");
  return problems;

  function readLearning(one: Node): void {
    only(one, "learning", ["id", "content", "source", "extractedAt", "confirmedAt", "confirmed", "tags"]);
    string(one["id"], "id");
    filled(one["content"], "content");
    filled(one["source"], "source");
    time(one["extractedAt"], "extractedAt");
    if ("confirmedAt" in one) time(one["confirmedAt"], "confirmedAt");
    if (typeof one["confirmed"] !== "boolean") problems.push("confirmed");
    for (const tag of array(one["tags"], "tags")) string(tag, "tag");
  }

  function readProposal(one: Node): void {
    const keys = [
      "id",
      "type",
      "content",
      "source",
      "extractedAt",
      "status",
      "method",
      "confidence",
      "decidedAt",
    ];
    only(one, "proposal", keys);
    string(one["id"], "id");
    among(one["type"], ["pattern", "insight", "self_knowledge"], "type");
    filled(one["content"], "content");
    filled(one["source"], "source");
    time(one["extractedAt"], "extractedAt");
    among(one["status"], ["pending", "accepted", "rejected"], "status");
    if ("method" in one) among(one["method"], ["acr", "regex"], "method");
    if ("confidence" in one && typeof one["confidence"] !== "number") problems.push("confidence");
    if ("decidedAt" in one) time(one["decidedAt"], "decidedAt");
  }

  function readStats(stats: Node): void {
    only(stats, "stats", ["accepted", "rejected", "byType", "confidenceSum", "confidenceCount"]);
    const byType = object(stats["byType"], "byType");
    only(byType, "byType", ["pattern", "insight", "self_knowledge"]);
    const whole = [stats, ...Object.values(byType).map((one) => object(one, "byType"))];
    for (const tally of [...whole, object(stats["confidenceCount"], "confidenceCount")]) {
      for (const key of ["accepted", "rejected"])
        if (!Number.isInteger(tally[key]) || Number(tally[key]) < 0) problems.push(`stats ${key}`);
    }
    const sums = object(stats["confidenceSum"], "confidenceSum");
    for (const key of ["accepted", "rejected"]) if (typeof sums[key] !== "number") problems.push("sum");
  }

  /** In this order: the other program rewrites a file whose keys are in another order. */
  function only(node: Node, name: string, keys: readonly string[]): void {
    const places = Object.keys(node).map((key) => keys.indexOf(key));
    if (places.includes(-1)) problems.push(`${name} has a key that would be lost`);
    if (places.some((place, i) => i > 0 && place < (places[i - 1] ?? 0))) problems.push(`order of ${name}`);
  }
  function object(value: unknown, name: string): Node {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Node;
    problems.push(`${name} is no object`);
    return {};
  }
  function array(value: unknown, name: string): unknown[] {
    if (Array.isArray(value)) return value;
    problems.push(`${name} is no array`);
    return [];
  }
  function string(value: unknown, name: string): void {
    if (typeof value !== "string") problems.push(`${name} is no string`);
  }
  function filled(value: unknown, name: string): void {
    if (typeof value !== "string" || value.length === 0) problems.push(`${name} is empty`);
  }
  function among(value: unknown, choices: readonly string[], name: string): void {
    if (!choices.includes(String(value))) problems.push(`${name} is ${String(value)}`);
  }
  function time(value: unknown, name: string): void {
    const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(String(value));
    if (!isTime || Number.isNaN(Date.parse(String(value)))) problems.push(`${name} is no UTC time`);
  }
}

type Node = Record<string, unknown>;
