import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Outline } from "../../api/conversation.ts";
import { api, sessionPath } from "../core/api.ts";
import { useResource } from "../core/resource.ts";
import type { SessionKey } from "./Clipped.tsx";

/** The time of the topmost turn that is shown. */
export const hereAt = signal<number | undefined>(undefined);

/** What the whole conversation consists of; a long one comes in parts. Without it the conversation is shown as well. */
export function useOutline({ host, id }: SessionKey): Outline | undefined {
  const path = sessionPath(host, id, "/conversation/outline");
  const { data, reload } = useResource(path, (signal) => api.get<Outline>(path, {}, signal), {
    on: (event) =>
      (event.type === "session" || event.type === "given") &&
      event.session.host === host &&
      event.session.id === id,
  });
  useEffect(() => {
    if (data?.isPart) reload();
  }, [data]);
  return data;
}
