import { useLocation } from "preact-iso";
import { sessionAddress } from "../core/address.ts";
import { appletAddress, withApplet } from "./address.ts";

/** Addresses of applets for a link in a view. On the session's own page they keep the page and its place. */
export function useAppletAddress(
  session: { readonly host: string; readonly id: string } | undefined,
): (slug: string, parameters?: Readonly<Record<string, string>>) => string {
  const { path, query } = useLocation();
  const isHere = session !== undefined && path === sessionAddress(session.host, session.id);
  return (slug, parameters = {}) =>
    isHere ? withApplet({ path, query }, { slug, parameters }) : appletAddress(session, slug, parameters);
}
