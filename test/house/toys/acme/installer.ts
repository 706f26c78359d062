import { join } from "node:path";
import { userHome } from "../../store/home.ts";
import { hookFileInstaller } from "../shared/install/hook-file.ts";
import { acme } from "./hook.ts";

export const acmeInstaller = hookFileInstaller({
  hook: acme,
  versionCommand: ["acme", "--version"],
  settingsFile: (env) => join(userHome(env), ".acme", "settings.json"),
  timeout: (ms) => ms / 1000,
});
