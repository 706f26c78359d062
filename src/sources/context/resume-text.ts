import type { Context } from "./sets.ts";

/** Files and applet have a form of their own; every other set is one line. */
const OWN_FORM = ["files", "applet"];

/** The sets as a resumed session is told about them. The order is fixed, so that the same sets give the same bytes. */
export function formatContextForResume(
  context: Record<string, string[]>,
  fileExists: (path: string) => boolean,
): string {
  const others = Object.keys(context)
    .filter((name) => !OWN_FORM.includes(name))
    .sort()
    .map((name) => formatOther(name, listOf(context, name)));
  return [
    formatFiles(listOf(context, "files"), fileExists),
    formatApplet(listOf(context, "applet")),
    ...others,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function formatFiles(files: string[], fileExists: (path: string) => boolean): string {
  const existing = files.filter((path) => fileExists(path));
  const missing = files.length - existing.length;
  return [
    ...(existing.length === 0 ? [] : ["Relevant files:", ...existing.map((path) => `- ${oneLine(path)}`)]),
    ...(missing === 0 ? [] : [`(${missing} files not found)`]),
  ].join("\n");
}

function formatApplet(applet: string[]): string {
  const [slug, ...parameters] = applet.map(oneLine);
  if (slug === undefined) return "";
  return `Last applet: ${slug}${parameters.length === 0 ? "" : ` (${parameters.join(", ")})`}`;
}

function formatOther(name: string, items: string[]): string {
  return items.length === 0 ? "" : `${oneLine(name)}: ${items.map(oneLine).join(", ")}`;
}

/** A file that another program wrote may hold anything under a name. */
function listOf(context: Context, name: string): string[] {
  const value: unknown = Object.hasOwn(context, name) ? context[name] : undefined;
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

/** We store no line breaks, but others write this file too, and an item must not pose as a line of ours. */
function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
}
