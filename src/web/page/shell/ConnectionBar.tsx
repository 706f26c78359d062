import { connection } from "../core/events.ts";

/** Says that the page shows old content while the server is away, and when it is back. */
export function ConnectionBar() {
  const state = connection.value;
  return (
    <div role="status" aria-live="polite">
      {state === "lost" && (
        <p class="connection-bar small line-bottom connection-lost">
          Disconnected from Continuo's server. What you see may be old. Trying to connect again; if it was
          ended, run <code>continuo web</code>.
        </p>
      )}
      {state === "back" && <p class="connection-bar small line-bottom connection-back">Connected again.</p>}
    </div>
  );
}
