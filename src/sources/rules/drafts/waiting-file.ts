/** Below Continuo's home: drafts of checks and questions about them. One JSON object a line, appended. */
export const WAITING_FILE = "checks.jsonl";
