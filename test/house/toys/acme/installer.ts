import { join } from "node:path";
import { hookFileInstaller } from "../../../../src/hosts/shared/install/hook-file.ts";
import { userHome } from "../../../../src/store/home.ts";
import { acme } from "./hook.ts";

export const acmeInstaller = hookFileInstaller({
  hook: acme,
  versionCommand: ["acme", "--version"],
  settingsFile: (env) => join(userHome(env), ".acme", "settings.json"),
  timeout: (ms) => ms / 1000,
});
