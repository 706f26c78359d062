import { afterEach, expect, it, vi } from "vitest";
import { ApiFailure, api } from "../../../src/web/page/core/api.ts";
import { onEvent } from "../../../src/web/page/core/events.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("views of a tab whose request got no answer load again by themselves, although no stream broke", async () => {
  vi.useFakeTimers();
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    if (asked.length === 1) throw new TypeError("Failed to fetch");
    return Response.json({ chat: "here" });
  });
  let shown: unknown;
  // As a chat does: it shows nothing until it knows whether it is open.
  const load = () =>
    api.get("/chats/one").then(
      (answer) => {
        shown = answer;
      },
      (error: unknown) => expect(error).toBeInstanceOf(ApiFailure),
    );
  const stop = onEvent(({ type }) => void (type === "reset" && load()));
  await load();
  expect(shown).toBeUndefined();
  await vi.advanceTimersByTimeAsync(3000);
  stop();
  expect(shown).toEqual({ chat: "here" });
  expect(asked).toEqual(["/api/chats/one", "/api/chats/one"]);
});
