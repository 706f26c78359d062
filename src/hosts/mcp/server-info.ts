/** Some hosts put this before the model with every request, so it is short. */
const INSTRUCTIONS =
  "Continuo keeps what a session works with. Call set_relevant_context when the files, endpoints or ports that matter " +
  "change: they are shown again when the session is resumed or compacted. " +
  "Resources: context://{set} is what a set holds, rules://{name} is a rule and why it applies.";

export function serverInfo(version: string) {
  return { name: "continuo", title: "Continuo", version, instructions: INSTRUCTIONS };
}
