import { render } from "preact";
import { followEvents } from "./core/events.ts";
import { listenToKeys } from "./core/keys.ts";
import { followTitle } from "./core/title.ts";
import { App } from "./shell/App.tsx";

const root = document.getElementById("app");
if (root !== null) {
  listenToKeys();
  followEvents();
  followTitle();
  render(<App />, root);
}
