import { existsSync } from "node:fs";
import { findProject } from "../../../moments/project.ts";
import type { ChatProject } from "../../api/chat.ts";
import type { Web } from "../web.ts";

/** Enough to choose from; the rest is reached by starting `continuo web` there. */
const MOST = 100;

/** Folders in which a chat may begin: that of `continuo web`, then those of past sessions, the latest first. */
export async function chatProjects(web: Pick<Web, "cwd" | "sessions">): Promise<readonly ChatProject[]> {
  const folders = new Set([web.cwd]);
  for (const { cwd } of (await web.sessions()).list({ limit: 2000 })) {
    if (cwd !== undefined) folders.add(cwd);
    if (folders.size >= 3 * MOST) break;
  }
  const found = new Map<string, ChatProject>();
  for (const folder of folders) {
    if (found.size >= MOST) break;
    const { root, label } = findProject(folder);
    if (!found.has(root) && existsSync(root)) found.set(root, { root, label });
  }
  return [...found.values()];
}
