import { loadHistory } from "../hosts/load-history.ts";
import { createPlugin } from "../hosts/opencode/plugin.ts";
import { SOURCES } from "../sources/index.ts";
import { OFFERS } from "../sources/offers.ts";
import { PROMPTS } from "../sources/prompts.ts";
import { TOOLS } from "../sources/tools.ts";

/** The only export: OpenCode calls every other function that a plugin's file exports. */
export default createPlugin({
  sources: SOURCES,
  tools: TOOLS,
  prompts: PROMPTS,
  offers: OFFERS,
  history: loadHistory,
  env: process.env,
  now: Date.now,
});
