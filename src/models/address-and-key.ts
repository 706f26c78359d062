import { redact } from "../store/redact.ts";

/** Why a text can be no API's address, to be said behind its setting's name. Of one with a key in it nothing is shown. */
export function whyNoAddress(url: string): string | undefined {
  if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url)) return `is ${JSON.stringify(redact(url))}`;
  const { username, password, search, hash } = new URL(url);
  if (username !== "" || password !== "") return "has a user name or a password in it, which is never sent";
  // The rest of the address is put behind it.
  return search === "" && hash === "" ? undefined : "has something behind ? or # in it";
}

/** fetch refuses a header with other signs, and shows it whole in its error. */
export function isSendable(key: string): boolean {
  return /^[\x21-\x7e]+$/.test(key.trim());
}

/** Somebody may have put a key where the name of its variable belongs: then it must not be shown. */
export function isVariable(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name);
}
