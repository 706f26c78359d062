import lazy from "preact-iso/lazy";
import { loadPart } from "../core/page-key.ts";
import type { AppletView } from "./applet.ts";

/** The views of the built-in applets; `src/web/server/applets/built-in.ts` describes them. */
export const VIEWS: Readonly<Record<string, AppletView>> = {
  "text-editor": lazy(() => loadPart(() => import("./TextEditor.tsx"))),
  "git-diff": lazy(() => loadPart(() => import("./GitDiff.tsx"))),
  "concept-graph": lazy(() => loadPart(() => import("./ConceptGraph.tsx"))),
  rules: lazy(() => loadPart(() => import("./RulesApplet.tsx"))),
  search: lazy(() => loadPart(() => import("./SearchApplet.tsx"))),
};
