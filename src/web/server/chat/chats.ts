import { existsSync } from "node:fs";
import { ContinuoError, describeError } from "../../../base/errors.ts";
import type { ChatHost, ChatListener, ChatSession } from "../../../moments/ports/chat.ts";
import { findProject } from "../../../moments/project/project.ts";
import { recordStop } from "../../../moments/state/activity.ts";
import type { ChatChange } from "../../api/chat.ts";
import type { KnownProject } from "../../api/projects.ts";
import { isAllowedProject } from "../files/known-roots.ts";
import { knownProjects } from "../files/projects.ts";
import { beganHere } from "../sessions/began-here.ts";
import type { Web } from "../web.ts";
import { type Chat, openChat } from "./chat.ts";
import { hideSecrets } from "./hide.ts";
import type { Provider } from "./provider.ts";

const MAX_CHATS = 20;
const LOCK_WAIT_MS = 2_000;

/** The conversations that run in this server. Nothing is loaded before the first one. */
export interface Chats {
  host(): Promise<ChatHost>;
  list(): readonly Chat[];
  get(id: string): Chat;
  find(id: string): Chat | undefined;
  begin(project: string, model: string | undefined): Promise<Chat>;
  resume(id: string, model: string | undefined): Promise<Chat>;
  rename(id: string, name: string): Promise<void>;
}

export function createChats(web: Web, provider: Provider): Chats {
  const open = new Map<string, Chat>();
  const opening = new Map<string, Promise<Chat>>();
  let host: Promise<ChatHost> | undefined;

  web.onClose(async () => {
    await (await host)?.stop();
  });

  /** Without the API key, because a command of the agent could print it. */
  function runtimeEnv(): NodeJS.ProcessEnv {
    const secrets = new Set(provider.secrets());
    return Object.fromEntries(
      Object.entries(web.env).filter(([, value]) => !secrets.has(value?.trim() ?? "")),
    );
  }
  function theHost(): Promise<ChatHost> {
    host ??= web.chatHost(web.env, runtimeEnv).catch((error: unknown) => {
      host = undefined;
      throw error;
    });
    return host;
  }
  const publish = (id: string, change: ChatChange): void =>
    web.publish({ type: "chat", chat: id, event: hideSecrets(change, provider.secrets()) });

  /** Indexes the session, because its page and the lists read the index. */
  async function index(id: string): Promise<void> {
    try {
      await (await web.sessions()).sync({ only: { host: "copilot", id }, sliceMs: 1000 });
    } catch (error) {
      if (describeError(error).code !== "index-busy")
        web.report("chat-not-indexed", describeError(error).message);
    }
  }
  async function changed(id: string, reason: "idle" | "prompt"): Promise<void> {
    await index(id);
    web.publish({ type: "session", session: { host: "copilot", id }, reason });
  }

  /** No hook reports that the agent stopped: without this the session would be shown as working for half an hour. */
  async function broken(id: string): Promise<void> {
    const session = { host: "copilot" as const, id };
    try {
      await recordStop(web.home, session, web.now(), LOCK_WAIT_MS);
      web.publish({ type: "session", session, reason: "idle" });
    } catch (error) {
      web.report("chat-not-ended", describeError(error).message);
    }
  }

  async function start(
    project: KnownProject & { readonly cwd: string },
    { resume, model, name = "" }: { resume?: string; model: string | undefined; name?: string },
  ): Promise<Chat> {
    if (!existsSync(project.cwd))
      throw new ContinuoError("chat-project-gone", `the folder ${project.cwd} no longer exists`, {
        hint: "Start a new chat in another folder and refer to this session with @@.",
      });
    if (![project.cwd, project.root].every((folder) => isAllowedProject(web, folder)))
      throw new ContinuoError("chat-folder-too-wide", `chats do not work in ${project.cwd}`, {
        hint: "It is the home folder, a folder around it, or the system's. Continue the session in a terminal.",
      });
    const chosen = provider.use(model).model;
    const chat = await openChat(
      {
        project: { root: project.root, label: project.label },
        model: chosen,
        name,
        wasResumed: resume !== undefined,
        now: web.now,
        publish,
        open: async (listener: ChatListener, id: string | undefined): Promise<ChatSession> =>
          (await theHost()).open({
            cwd: project.cwd,
            provider: provider.use(chosen),
            listener,
            ...(id === undefined || id === "" ? {} : { resume: id }),
          }),
        onSaid: (id) => void changed(id, "prompt"),
        onIdle: (id) => void changed(id, "idle"),
        onBroken: (id) => void broken(id),
      },
      resume,
    );
    open.set(chat.id, chat);
    beganHere(web, { host: "copilot", id: chat.id });
    await closeOldest();
    return chat;
  }

  async function closeOldest(): Promise<void> {
    const idle = [...open.values()]
      .filter((chat) => chat.state().status !== "working")
      .sort((a, b) => a.state().at - b.state().at);
    for (const chat of idle.slice(0, Math.max(0, open.size - MAX_CHATS))) {
      open.delete(chat.id);
      await chat.close();
    }
  }

  async function begin(project: string, model: string | undefined): Promise<Chat> {
    if ([...open.values()].filter((chat) => chat.state().status === "working").length >= MAX_CHATS)
      throw new ContinuoError("chat-too-many", `${MAX_CHATS} chats are working already`, {
        hint: "Wait for one of them, or stop it.",
      });
    const known = (await knownProjects(web)).find(({ root }) => root === findProject(project).root);
    if (known === undefined)
      throw new ContinuoError("chat-project-unknown", "this folder is not a known project", {
        hint: "Choose one of the list, or run continuo web in that folder.",
      });
    return start({ ...known, cwd: known.root }, { model });
  }

  async function reopen(id: string, model: string | undefined): Promise<Chat> {
    const library = await web.sessions();
    await library.sync({ only: { host: "copilot", id }, sliceMs: 2000 });
    const session = library.get({ host: "copilot", id });
    if (session === undefined || session.isGone || session.isChild || session.cwd === undefined)
      throw new ContinuoError("chat-not-resumable", "Copilot cannot resume this session", {
        hint: "Its files are gone, or it belongs to a subagent. Start a new chat and refer to it with @@.",
      });
    const { root, label } = findProject(session.cwd);
    return start({ root, label, cwd: session.cwd }, { resume: id, model, name: session.name });
  }

  return {
    host: theHost,
    list: () => [...open.values()],
    find: (id) => open.get(id),
    get(id) {
      const chat = open.get(id);
      if (chat !== undefined) return chat;
      throw new ContinuoError("chat-not-open", "this session is not open in this server", {
        hint: "Resume it first.",
      });
    },
    begin,
    async rename(id, name) {
      await open.get(id)?.rename(name);
      await index(id);
      const library = await web.sessions();
      const session = { host: "copilot", id };
      // Before its first message a session is not on disk, so Copilot's own name is used.
      if (library.get(session) !== undefined) library.rename(session, name);
      web.publish({ type: "session", session, reason: "renamed" });
    },
    resume(id, model) {
      const known = open.get(id);
      if (known !== undefined) return Promise.resolve(known);
      // Two tabs may ask at the same time.
      const begun = opening.get(id) ?? reopen(id, model).finally(() => opening.delete(id));
      opening.set(id, begun);
      return begun;
    },
  };
}
