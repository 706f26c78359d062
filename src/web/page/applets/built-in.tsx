import lazy from "preact-iso/lazy";
import type { AppletView } from "./applet.ts";

/** The views of the built-in applets; `src/web/server/applets/built-in.ts` describes them. */
export const VIEWS: Readonly<Record<string, AppletView>> = {
  "text-editor": lazy(() => import("./text-editor/TextEditor.tsx")),
  "git-diff": lazy(() => import("./GitDiff.tsx")),
  "concept-graph": lazy(() => import("./ConceptGraph.tsx")),
  rules: lazy(() => import("./RulesApplet.tsx")),
  search: lazy(() => import("./SearchApplet.tsx")),
};
