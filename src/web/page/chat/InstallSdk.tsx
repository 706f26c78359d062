import type { ChatSdk } from "../../api/chat.ts";
import { Button } from "../parts/Button.tsx";
import { Command } from "../parts/Copy.tsx";

/** How to get the SDK. Continuo downloads nothing by itself. */
export function InstallSdk({ sdk, look }: { sdk: ChatSdk; look: () => void }) {
  return (
    <section class="chat-step" aria-labelledby="chat-install">
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
