const MOST = 3;
/** Keys that look like a ticket's: encodings, hashes, standards, models, protocols. */
const NO_TRACKER =
  /^(?:utf|ucs|sha|md|aes|rsa|hs|rs|es|ecma|iso|iec|ieee|rfc|pep|din|ansi|cp|win|gpt|llama|qwen|http|tls|ssl|usb|ipv|base|x|h|hdmi|ddr|arm|cortex|covid|top|part|step|phase|task|fix|test|tests|version|round|take|try|attempt|draft|day|week|chapter|section|option|level|tier|node|python|java|php|go|rc|alpha|beta|review|feature|agent|session|chunk|line|lines|stage|wave|batch|sprint)$/i;
const KEY = /\b([A-Z][A-Z0-9]{1,9})-(\d{1,6})\b/g;
/** In a branch and after the name of a tracker, keys are often written small. */
const SMALL_IN_BRANCH = /(?:^|[/_-])([a-z][a-z0-9]{1,9})-(\d{1,6})(?=[/_-]|$)/gi;
const SMALL_IN_TEXT =
  /\b(?:linear|jira|youtrack|shortcut|ticket|issue|story|tracker)[\s:]+([a-z][a-z0-9]{1,9})-(\d{1,6})\b/gi;
/** Six digits are a colour. */
const NUMBER = /(?:^|[\s(])#(\d{1,5})\b/g;
/** Smaller numbers are places in a list, unless a word says otherwise. */
const LEAST_NUMBER = 10;
const NUMBERED =
  /\b(?:issue|issues|ticket|bug report|pr|pull request|mr|closes?|closed|fix(?:es|ed)?|resolves?|refs?|see)[\s:]+#(\d{1,5})\b/gi;

/** The tickets, issues and pull requests that a session names: those of its branch, then those that are named most often. */
export function ticketsIn(branch: string, text: string): string[] {
  const times = new Map<string, number>();
  const count = (key: string, weight = 1): void => void times.set(key, (times.get(key) ?? 0) + weight);
  const countKeys = (where: string, pattern: RegExp, weight = 1): void => {
    for (const [, tracker = "", number = ""] of where.matchAll(pattern))
      if (!NO_TRACKER.test(tracker)) count(`${tracker.toUpperCase()}-${number}`, weight);
  };
  countKeys(branch, SMALL_IN_BRANCH, 1000);
  countKeys(text, KEY);
  countKeys(text, SMALL_IN_TEXT);
  for (const [, number = ""] of text.matchAll(NUMBER))
    if (Number(number) >= LEAST_NUMBER) count(`#${number}`);
  for (const [, number = ""] of text.matchAll(NUMBERED))
    if (Number(number) < LEAST_NUMBER) count(`#${number}`);
  return [...times]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST)
    .map(([key]) => key);
}
