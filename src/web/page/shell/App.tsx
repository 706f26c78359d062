import { useState } from "preact/hooks";
import { ErrorBoundary } from "preact-iso/lazy";
import { LocationProvider, Route, Router, useLocation } from "preact-iso/router";
import { focusContent } from "../core/content-focus.ts";
import { useKeys } from "../core/keys.ts";
import { hasAccess } from "../core/page-key.ts";
import { MAIN_PLACES, PLACES } from "../places.tsx";
import { ConnectionBar } from "./ConnectionBar.tsx";
import { Crashed } from "./Crashed.tsx";
import { KeySheet } from "./KeySheet.tsx";
import { Navigation } from "./Navigation.tsx";
import { NoAccess } from "./NoAccess.tsx";
import { NotFound } from "./NotFound.tsx";
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
