import { join } from "node:path";
import { readText } from "../store/read-file.ts";
import { configEntries, MAX_CONFIG_BYTES } from "./repository.ts";

/** Longer than any address on a forge. */
const MAX_ADDRESS = 500;

/**
 * The remote of a repository as `host/owner/name`, in lower case and without user, password and port; undefined if it has
 * none. `origin`, else the only one: with several others nobody knows which one names the project.
 */
export function remoteOf(common: string): string | undefined {
  let text: string;
  try {
    text = readText(join(common, "config"), { maxBytes: MAX_CONFIG_BYTES });
  } catch {
    return undefined; // no config, or not written by git
  }
  const addresses = new Map<string, string>();
  for (const { key, value } of configEntries(text) ?? []) {
    const name = /^remote\.(.+)\.url$/.exec(key)?.[1];
    if (name !== undefined && !addresses.has(name)) addresses.set(name, value);
  }
  const chosen = addresses.get("origin") ?? (addresses.size === 1 ? [...addresses.values()][0] : undefined);
  return chosen === undefined ? undefined : plainRemote(chosen);
}

const URL_FORM = /^[a-z][a-z0-9+.-]*:\/\/([^/]*)\/(.*)$/i;
/** `git@host:owner/name`, as scp writes it. */
const SCP_FORM = /^([^/:]+):(?!\/\/)(.*)$/;

/**
 * An address as `host/owner/name`; undefined for a path on this machine, which identifies no project on other machines.
 */
export function plainRemote(address: string): string | undefined {
  const given = address.trim();
  if (given === "" || given.length > MAX_ADDRESS) return undefined;
  const [, authority, path] = URL_FORM.exec(given) ?? SCP_FORM.exec(given) ?? [];
  if (authority === undefined || path === undefined) return undefined;
  // A password may contain an @, so the host begins after the last one.
  const host = authority.slice(authority.lastIndexOf("@") + 1).replace(/:\d*$/, "");
  const names = path
    .replace(/[?#].*$/, "")
    .split("/")
    .filter((name) => name !== "");
  const last = names.pop()?.replace(/\.git$/i, "");
  const plain = [host, ...names, last].join("/").toLowerCase();
  // C:/work/shop has a drive letter, not a host.
  if (host.length < 2 || last === undefined || last === "") return undefined;
  return /^[\p{L}\p{N}][\p{L}\p{N}._~/+-]*$/u.test(plain) ? plain : undefined;
}

/** How people name a remote: `owner/name`. */
export function ownerAndName(remote: string): string {
  return remote.split("/").slice(-2).join("/");
}
