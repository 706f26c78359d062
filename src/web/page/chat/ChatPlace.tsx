import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { ChatHandoff, ChatLine, ChatOverview, ChatState } from "../../api/chat.ts";
import type { WebEvent } from "../../api/events.ts";
import { sessionAddress, useQuery } from "../core/address.ts";
import { api } from "../core/api.ts";
import { notifyFailure } from "../core/notices.ts";
import { useGet } from "../core/resource.ts";
import { Badge } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { Command } from "../parts/Copy.tsx";
import { Page } from "../parts/Page.tsx";
import { Loaded } from "../parts/States.tsx";
import { Time } from "../parts/Time.tsx";
import { Composer } from "./Composer.tsx";
import { ProviderForm } from "./ProviderForm.tsx";

/** Starts a chat: first what is missing, then project, model and the first message. */
export default function ChatPlace() {
  const isNew = (event: WebEvent) =>
    event.type === "connect" || (event.type === "chat" && event.event.kind === "state");
  const overview = useGet<ChatOverview>("/chats", {}, isNew);
  return (
    <Page title="Chat" width="reading">
      <Loaded resource={overview}>
        {(data) => <Start overview={data} reload={() => overview.reload()} />}
      </Loaded>
    </Page>
  );
}

function Start({ overview, reload }: { overview: ChatOverview; reload: () => void }) {
  const { sdk, provider, chats } = overview;
  const isReady = sdk.isInstalled && provider.problem === undefined;
  const [isSettingUp, setSettingUp] = useState(false);
  // Check again when the user returns, for example from the terminal.
  useEffect(() => {
    if (sdk.isInstalled) return;
    addEventListener("focus", reload);
    return () => removeEventListener("focus", reload);
  }, [sdk.isInstalled]);
  return (
    <div class="chat-start stack gap-6">
      {!isReady && (
        <p class="reading-type muted">
          Talk to a coding agent here. It works in one of your projects, asks before it does anything, and
          Continuo gives it your rules, notes and past sessions. You need the Copilot SDK and a model: your
          own endpoint and key, or your Copilot login. Everything else of this page works without it.
        </p>
      )}
      {!sdk.isInstalled && <InstallSdk sdk={sdk} look={reload} />}
      {sdk.isInstalled && isReady && <NewChat overview={overview} />}
      {(provider.problem !== undefined || isSettingUp) && (
        <section class="chat-step stack start gap-3 break" aria-labelledby="chat-model">
          <h2 id="chat-model">Choose a model</h2>
          <ProviderForm
            provider={provider}
            changed={() => {
              setSettingUp(false);
              reload();
            }}
          />
        </section>
      )}
      {provider.problem === undefined && !isSettingUp && (
        <p class="muted small row gap-2 break">
          {provider.type === "copilot" ? "GitHub Copilot login" : provider.baseUrl}
          {provider.model === "" ? "" : ` · ${provider.model}`}
          <Button kind="quiet" onClick={() => setSettingUp(true)}>
            Change
          </Button>
        </p>
      )}
      {chats.length > 0 && <OpenChats chats={chats} />}
    </div>
  );
}

function NewChat({ overview }: { overview: ChatOverview }) {
  const { route } = useLocation();
  const { query } = useQuery();
  const { host, id } = query;
  const [project, setProject] = useState(overview.projects[0]?.root ?? "");
  const [model, setModel] = useState("");
  const [initial, setInitial] = useState("");
  useEffect(() => {
    if (host === undefined || id === undefined) return;
    api.get<ChatHandoff>("/chats/handoff", { host, id }).then(
      (handoff) => {
        setInitial(`Continue the work of ${handoff.reference}. `);
        if (overview.projects.some(({ root }) => root === handoff.project)) setProject(handoff.project ?? "");
      },
      (error: unknown) => notifyFailure("Could not prepare the handoff", error),
    );
  }, [host, id]);
  const send = async (text: string) => {
    try {
      const chat = await api.post<ChatState>("/chats", { project, ...(model === "" ? {} : { model }) });
      const key = crypto.randomUUID();
      await api.post(`/chats/${encodeURIComponent(chat.id)}/messages`, { text, key });
      route(sessionAddress(chat.host, chat.id));
    } catch (error) {
      notifyFailure("Could not start the chat", error);
      throw error;
    }
  };
  return (
    <section class="chat-new stack gap-4" aria-label="New chat">
      <div class="chat-choices">
        <label>
          Project
          <select value={project} onChange={(event) => setProject(event.currentTarget.value)}>
            {overview.projects.map(({ root, label }) => (
              <option key={root} value={root}>
                {label} ({root})
              </option>
            ))}
          </select>
        </label>
        <label>
          Model
          <input
            value={model}
            placeholder={overview.provider.model || "Copilot's default"}
            onInput={(event) => setModel(event.currentTarget.value)}
          />
        </label>
      </div>
      <Composer
        name={id === undefined ? "new" : `new.${id}`}
        about={{ project }}
        label="First message"
        placeholder="What should the agent do?"
        initial={initial}
        send={send}
      />
    </section>
  );
}

const STATUS = { working: "working", idle: "idle", asleep: "asleep" } as const;

function OpenChats({ chats }: { chats: readonly ChatLine[] }) {
  return (
    <section class="chat-step stack start gap-3 break" aria-labelledby="chat-open">
      <h2 id="chat-open">Open chats</h2>
      <ul class="rows full">
        {chats.map((chat) => (
          <li key={chat.id}>
            <a class="row gap-3 pad-2 hover" href={sessionAddress(chat.host, chat.id)}>
              <span class="clip grow">{chat.name || "New chat"}</span>
              <span class="clip muted small">{chat.project.label}</span>
              <Badge tone={chat.status === "working" ? "accent" : "plain"}>{STATUS[chat.status]}</Badge>
              <Time at={chat.at} class="muted small" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** How to get the SDK. Continuo does not download anything on its own. */
function InstallSdk({ sdk, look }: { sdk: ChatOverview["sdk"]; look: () => void }) {
  return (
    <section class="chat-step stack start gap-3 break" aria-labelledby="chat-install">
      <h2 id="chat-install">Install the GitHub Copilot SDK</h2>
      <p class="muted">
        Chats run on {sdk.name} {sdk.wanted}, which brings its own agent. It is not part of Continuo: about{" "}
        {sdk.downloadMB} MB to download, {sdk.diskMB} MB on disk, in <code>{sdk.folder}</code>. Remove that
        folder to uninstall it.
      </p>
      <Command text={sdk.command} />
      <p class="muted small">
        Run it in a terminal. This page notices when it is done.{" "}
        <Button kind="quiet" onClick={look}>
          Look again
        </Button>
      </p>
    </section>
  );
}
