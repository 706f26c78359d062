import { distrustServer } from "./page-key.ts";

/**
 * This page has no service worker. One that is there was left by something else that had this port for a time, and would
 * see every request: the page stops and removes it.
 */
export function refuseWorkers(): void {
  const workers = navigator.serviceWorker;
  if (workers === undefined) return;
  const refuse = () => {
    if (workers.controller !== null) distrustServer();
  };
  workers.addEventListener("controllerchange", refuse);
  refuse();
  void workers.getRegistrations().then((all) => {
    for (const one of all) void one.unregister();
  });
}
