import { readdirSync } from "node:fs";
import { join } from "node:path";
import { installedPackage } from "./packages.ts";

export const CODEX = "0.169.0";

export async function codexProgram(): Promise<string> {
  const scope = join(await installedPackage("@openai/codex", CODEX), "node_modules", "@openai");
  const platform = readdirSync(scope).find((name) => name.startsWith("codex-"));
  const vendor = join(scope, platform ?? "", "vendor");
  const program = readdirSync(vendor, { recursive: true, encoding: "utf8" }).find((path) =>
    /(^|[\\/])codex(\.exe)?$/.test(path),
  );
  if (program === undefined) throw new Error(`Codex ${CODEX} has no build for this system`);
  return join(vendor, program);
}

/** The user's settings: the fake model server, no questions, no update. */
export function codexConfig(url: string): string {
  return `model = "fake-model"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[model_providers.fake]
name = "fake"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
requires_openai_auth = false
supports_websockets = false
[analytics]
enabled = false
[features]
enable_request_compression = false
`;
}
