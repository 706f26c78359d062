import type { Hono } from "hono";
import { forTerminal } from "../../../base/for-terminal.ts";
import { othersFirst } from "../../../base/slices.ts";
import { shownName } from "../../../sources/sessions/labels.ts";
import { EXTRACTED } from "../../../sources/sessions/records/files.ts";
import type { OutlinePart } from "../../../sources/sessions/records/outline.ts";
import type { SessionSummary } from "../../api/session-page.ts";
import type { Web } from "../web.ts";
import { sessionIfIndexed } from "./session-for.ts";

const TITLES: readonly (readonly [OutlinePart, string])[] = [
  ["goal", "Goal"],
  ["outcome", "Outcome"],
  ["decisions", "Decisions"],
  ["hurdles", "Hurdles"],
  ["next", "Next steps"],
  ["files", "Files"],
  ["commands", "Commands"],
];

const NO_RECORD: SessionSummary = {
  name: "",
  description: "",
  summary: "",
  tags: [],
  model: null,
  updatedAt: "",
  parts: [],
};

/** The record of a session, and its outline: every line with the turn that it comes from. */
export function recordRoutes(app: Hono, web: Web): void {
  app.get("/api/sessions/:host/:id/record", async (c) => {
    const indexed = await sessionIfIndexed(web, c.req.param());
    if (indexed === undefined) return c.json(NO_RECORD);
    const { sessions, session } = indexed;
    const record = sessions.record(session);
    await othersFirst();
    const outline = sessions.outline(session);
    const parts = TITLES.map(([part, title]) => ({
      title,
      lines: (outline?.[part] ?? []).map(({ text, turn }) => ({ text: forTerminal(text), turn })),
    }));
    return c.json({
      name: forTerminal(record?.name ?? shownName(session)),
      description: forTerminal(record?.description ?? ""),
      summary: forTerminal(record?.summary ?? ""),
      tags: (record?.tags ?? []).map(forTerminal),
      model: record === undefined || record.model === EXTRACTED ? null : forTerminal(record.model),
      updatedAt: record?.updatedAt ?? "",
      parts: parts.filter(({ lines }) => lines.length > 0),
      ...(outline?.isPart && { isPart: true as const }),
    } satisfies SessionSummary);
  });
}
