import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Applet, AppletList } from "../../api/applets.ts";
import type { Web } from "../web.ts";
import { BUILT_IN } from "./built-in.ts";
import { type Manifest, readManifest } from "./manifest.ts";

const MAX_APPLETS = 100;
/** The same form as in the set `applet`. */
const SLUG = /^[a-z0-9][a-z0-9-]{0,62}[a-z0-9]$/;

export function appletsFolder({ home }: Pick<Web, "home">): string {
  return join(home.root, "applets");
}

export function listApplets(web: Web): AppletList {
  const folder = appletsFolder(web);
  return { folder, applets: [...BUILT_IN, ...namesIn(folder).map((slug) => describe(web, slug))] };
}

function describe(web: Web, slug: string): Applet {
  const found = usersApplet(web, slug);
  const manifest = isProblems(found) ? undefined : found;
  return {
    slug,
    title: manifest?.title ?? slug,
    description: manifest?.description ?? "",
    isBuiltIn: false,
    parameters: manifest?.parameters ?? [],
    ...(manifest === undefined ? {} : { frame: frameAddress(web, slug) }),
    problems: isProblems(found) ? found : [],
  };
}

/** The manifest of a user's applet, or the reasons why it cannot be used. */
export function usersApplet(web: Pick<Web, "home">, slug: string): Manifest | readonly string[] {
  if (!SLUG.test(slug)) return ["the folder's name must have 2 to 64 small letters, digits and inner dashes"];
  if (BUILT_IN.some((one) => one.slug === slug))
    return ["a built-in applet has this name; rename the folder"];
  const root = join(appletsFolder(web), slug);
  const manifest = readManifest(join(root, "applet.json"), root);
  if (isProblems(manifest)) return manifest;
  const missing = [manifest.html, manifest.script, manifest.style].filter(
    (name) => name !== undefined && statSync(join(root, name), { throwIfNoEntry: false })?.isFile() !== true,
  );
  return missing.length === 0 ? manifest : missing.map((name) => `${name} does not exist`);
}

export function isProblems(found: Manifest | readonly string[]): found is readonly string[] {
  return Array.isArray(found);
}

function namesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
      .map(({ name }) => name)
      .sort()
      .slice(0, MAX_APPLETS);
  } catch {
    return []; // the user has no applets
  }
}

/**
 * A frame without our origin has no cookie, so its files are requested without one. Instead their address contains a
 * key, one for each applet, which only a signed-in page receives: an applet cannot request another one's files.
 */
const secrets = new WeakMap<object, Buffer>();

export function frameAddress(web: object, slug: string): string {
  return `/applets/${slug}/${keyOf(web, slug)}/`;
}

export function isFrameKey(web: object, slug: string, key: string): boolean {
  const right = Buffer.from(keyOf(web, slug));
  const given = Buffer.from(key);
  return given.length === right.length && timingSafeEqual(given, right);
}

function keyOf(web: object, slug: string): string {
  const secret = secrets.get(web) ?? randomBytes(32);
  secrets.set(web, secret);
  return createHmac("sha256", secret).update(slug).digest("base64url").slice(0, 32);
}
