/**
 * The script `continuo` with which a user's applet talks to the page. It accepts messages only from the page, and only
 * in the form that the page sends. It runs in the applet's own frame, so nothing in it protects the page.
 */
export const FRAME_SCRIPT = `"use strict";
(() => {
  const page = window.parent;
  const listeners = new Set();
  let state;
  const isText = (value) => typeof value === "string";
  const isTexts = (value) =>
    value !== null && typeof value === "object" && Object.values(value).every(isText);
  const isLists = (value) =>
    value !== null && typeof value === "object" &&
    Object.values(value).every((list) => Array.isArray(list) && list.every(isText));
  const isState = (value) =>
    value !== null && typeof value === "object" && value.continuo === 1 && value.type === "state" &&
    isTexts(value.parameters) && isLists(value.context) &&
    (value.theme === "light" || value.theme === "dark") &&
    (value.session === null || isTexts(value.session));
  addEventListener("message", (event) => {
    if (event.source !== page || !isState(event.data)) return;
    const { parameters, theme, session, context } = event.data;
    state = { parameters, theme, session, context };
    document.documentElement.dataset.theme = theme;
    for (const listener of [...listeners]) listener(state);
  });
  window.continuo = Object.freeze({
    /** Calls the function with the state: now if it is known, and at every change. */
    onState(listener) {
      listeners.add(listener);
      if (state !== undefined) listener(state);
      return () => listeners.delete(listener);
    },
    /** Changes parameters of the address: { name: "value" }; "" removes one. */
    setParameters(parameters) {
      page.postMessage({ continuo: 1, type: "set-parameters", parameters }, "*");
    },
  });
  page.postMessage({ continuo: 1, type: "ready" }, "*");
})();
`;
