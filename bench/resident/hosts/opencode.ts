import { writeFileSync } from "node:fs";
import { classify } from "../../../test/fakes/openai-requests.ts";
import { startOpenCode } from "../../../test/support/opencode.ts";
import { type Form, furnish, install, type LivingHost, readingModel } from "./living-host.ts";

/** OpenCode as a server, one process for many turns. */
export async function livingOpenCode(form: Form): Promise<LivingHost> {
  const host = await startOpenCode();
  const model = readingModel(furnish(host.home, host.project, form.store));
  host.server.respondWith((request) => {
    if (classify(request) !== "main") return { text: "A title" };
    const filePath = model.next();
    const promptTokens = 1_000; // never enough for a compaction
    return filePath === undefined
      ? { text: "done", promptTokens }
      : { toolUses: [{ name: "read", input: { filePath } }], promptTokens };
  });
  // Its own copies of the work tree, several runs of git per step, are most of a turn and vary more than what is measured.
  writeFileSync(host.settingsFile, '{ "snapshot": false }\n');
  install("opencode", form, host.env, host.project);
  let session: string | undefined;
  return {
    turn: (prompt, calls) =>
      model.run(calls, async () => {
        session ??= await host.createSession();
        await host.prompt(session, prompt);
      }),
    async stop() {
      await host.stop();
      session = undefined;
    },
    dispose: () => host.dispose(),
  };
}
