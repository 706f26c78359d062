import { useState } from "preact/hooks";
import { ErrorBoundary } from "preact-iso/lazy";
import { LocationProvider, Route, Router, useLocation } from "preact-iso/router";
import { focusContent } from "../core/content-focus.ts";
import { connection } from "../core/events.ts";
import { keyMaps, useKeys } from "../core/keys.ts";
import { hasAccess } from "../core/page-key.ts";
import { Button } from "../parts/Button.tsx";
import { Command } from "../parts/Copy.tsx";
import { Page } from "../parts/Page.tsx";
import { MAIN_PLACES, PLACES } from "../places.tsx";
import { Dialog } from "./Dialog.tsx";
import { Navigation } from "./Navigation.tsx";
import { Notices } from "./Notices.tsx";
import { Palette } from "./Palette.tsx";

export function App() {
  if (!hasAccess.value) return <NoAccess />;
  return (
    <LocationProvider>
      <Shell />
    </LocationProvider>
  );
}

/** What stays while places change: navigation, palette, keys, notices. */
function Shell() {
  const { route } = useLocation();
  const [shown, show] = useState<"palette" | "keys" | undefined>();
  const [crash, setCrash] = useState<Error | undefined>();
  const close = () => show(undefined);
  useKeys({
    "Mod+k": { what: "search and commands", run: () => show("palette"), whileTyping: true },
    "?": { what: "this list of keys", run: () => show("keys") },
    ...Object.fromEntries(
      MAIN_PLACES.map(({ key, label, path }) => [
        `g ${key}`,
        {
          what: `go to ${label}`,
          run: () => {
            focusContent(path);
            route(path);
          },
        },
      ]),
    ),
  });
  return (
    <div class="shell">
      <a class="skip" href="#content">
        Skip to content
      </a>
      <Navigation openPalette={() => show("palette")} openKeys={() => show("keys")} />
      <div class="stack narrow short">
        <ConnectionBar />
        {crash ? (
          <Crashed error={crash} />
        ) : (
          <ErrorBoundary onError={setCrash}>
            <Router>
              {PLACES.map(({ path, view }) => (
                <Route key={path} path={path} component={view} />
              ))}
              <Route default component={NotFound} />
            </Router>
          </ErrorBoundary>
        )}
      </div>
      <Notices />
      {shown === "palette" && <Palette close={close} openKeys={() => show("keys")} />}
      {shown === "keys" && <KeySheet close={close} />}
    </div>
  );
}

/** Shows that content is outdated while the server is away, and when it is back. */
function ConnectionBar() {
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

/** A bug in a view. Stored data is not affected. */
function Crashed({ error }: { error: Error }) {
  return (
    <main class="content content-reading" id="content">
      <div class="state state-failed" role="alert">
        <p class="state-title">This view failed</p>
        <p class="state-text">{error.message}. Nothing that is stored was changed.</p>
        <Button kind="primary" onClick={() => location.reload()}>
          Load the page again
        </Button>
      </div>
    </main>
  );
}

/** The server does not accept this page's cookie any more. */
function NoAccess() {
  return (
    <main class="lone" id="content">
      <div class="state">
        <h1 class="state-title">This page has no access any more</h1>
        <p class="state-text">
          Its server ended, or another one runs now. Run this command and open the address that it prints:
        </p>
        <Command text="continuo web" />
      </div>
    </main>
  );
}

function NotFound() {
  return (
    <Page title="There is nothing at this address" width="reading">
      <p>
        It may have been moved or deleted. <a href="/sessions">All sessions</a> and{" "}
        <a href="/memory">all notes</a> can be searched.
      </p>
    </Page>
  );
}

/** The list of active keys. */
function KeySheet({ close }: { close: () => void }) {
  const keys = new Map(keyMaps.value.flatMap((map) => Object.entries(map)));
  return (
    <Dialog label="Keys" close={close} class="key-sheet">
      <h2>Keys</h2>
      <dl>
        {[...keys].map(([key, { what }]) => (
          <div key={key}>
            <dt>
              {key.split(" ").map((part) => (
                <kbd key={part}>{part.replace("Mod+", "Ctrl/⌘ ")}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
