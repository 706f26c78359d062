import { render } from "preact";
import { followEvents } from "./core/events.ts";
import { listenToKeys } from "./core/keys.ts";
import { refuseWorkers } from "./core/no-worker.ts";
import { followTitle } from "./core/title.ts";
import { App } from "./shell/App.tsx";

const root = document.getElementById("app");
if (root !== null) {
  refuseWorkers();
  listenToKeys();
  followEvents();
  followTitle();
  render(<App />, root);
}
