import { COPILOT_SDK, sdkFolder, startCopilotSdk } from "../support/copilot-sdk.ts";
import { orSkipReason } from "../support/packages.ts";
import { hostContract } from "./host-contract.ts";

const found = await orSkipReason(sdkFolder());
const missing = typeof found === "object" ? found.skip : undefined;

hostContract({
  name: `Copilot SDK ${COPILOT_SDK}`,
  missing,
  skip: { title: "it makes titles from the prompt, without a request" },
  start: startCopilotSdk,
});
