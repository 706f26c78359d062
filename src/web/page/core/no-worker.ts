import { distrustServer } from "./page-key.ts";

/**
 * This page has no service worker. If there is one, another program that used this port installed it, and it would see
 * every request: the page stops and removes it.
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
