import type { PromptForm } from "../port/prompt-form.ts";
import { mentionsIn } from "../shared/mentions/parse-mentions.ts";

export const promptForm: PromptForm = { mentionsIn };
