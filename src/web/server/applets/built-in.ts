import type { Applet } from "../../api/applets.ts";

/** The applets that come with Continuo. `src/web/page/applets/built-in.tsx` has the view of each. */
export const BUILT_IN: readonly Applet[] = [
  builtIn("text-editor", "Text editor", "View and edit a file of a project", [
    ["path", "the file: absolute, or relative to the session's project"],
    ["line", "the line to show"],
  ]),
  builtIn("git-diff", "Git diff", "What changed in a repository, a folder or a file", [
    ["path", "a folder or file; the session's project by default"],
    ["against", "HEAD (default), staged, or the id of a commit"],
  ]),
  builtIn("concept-graph", "Concept graph", "How the concepts of the notes are related", [
    ["concept", "the concept in the middle"],
  ]),
  builtIn("rules", "Rules", "Which rules are active and why; try a path or a prompt", [
    ["path", "a file for which rules are tried"],
    ["prompt", "a prompt for which rules are tried"],
  ]),
  builtIn("search", "Search", "Search notes and past sessions", [["q", "what is searched for"]]),
];

function builtIn(
  slug: string,
  title: string,
  description: string,
  parameters: readonly (readonly [name: string, description: string])[],
): Applet {
  return {
    slug,
    title,
    description,
    isBuiltIn: true,
    parameters: parameters.map(([name, what]) => ({ name, description: what })),
    problems: [],
  };
}
