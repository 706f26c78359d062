import { collapse } from "../../../base/text.ts";

const MOST = 20;
const LONGEST = 72;
const COMMAND = /\b(?:git (?:-[cC] \S+ )*commit|gh pr create)\b/;
const MESSAGE = /\s(?:-[a-zA-Z]*m|--message|--title|-t)[= ]?\s*(?="|')/;
/** `-m "$(cat <<'EOF' …`: the usual way to write a message of several lines. */
const DOCUMENT = /^"\$\(cat <<-?\s*['"]?(\w+)['"]?\s+/;
/** Line feeds are lost in the index. This begins the body of most messages. */
const BODY = /\s(?:[-*•] |Co-Authored-By:|Signed-off-by:|🤖|Generated with|## )|[.!](?= [A-Z])/;

/** Subjects of the commits and titles of the pull requests that tool calls made, the latest first. */
export function commitSubjects(callLines: Iterable<string>): string[] {
  const found = new Set<string>();
  for (const line of callLines) {
    const subject = subjectIn(line);
    if (subject === undefined) continue;
    found.delete(subject);
    found.add(subject);
  }
  return [...found].reverse().slice(0, MOST);
}

function subjectIn(line: string): string | undefined {
  const command = COMMAND.exec(line);
  if (command === null) return undefined;
  const rest = line.slice(command.index);
  const option = MESSAGE.exec(rest);
  if (option === null) return undefined;
  const given = rest.slice(option.index + option[0].length);
  const end = DOCUMENT.exec(given);
  const message = end === null ? quoted(given) : (given.slice(end[0].length).split(` ${end[1]}`)[0] ?? "");
  const subject = collapse(message.split(BODY)[0] ?? "").replaceAll('\\"', '"');
  if (subject.length <= LONGEST) return subject === "" || subject.includes("$(") ? undefined : subject;
  return subject.slice(0, LONGEST).replace(/\s+\S*$/, "");
}

/** The text up to the closing quotation mark, or what is left of it: long commands are cut. */
function quoted(text: string): string {
  const mark = text[0] ?? "";
  for (let at = 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === mark) return text.slice(1, at);
  }
  return text.slice(1);
}
