/** Set by the build; undefined when running from source. */
declare const CONTINUO_VERSION: string | undefined;

export const version = typeof CONTINUO_VERSION === "string" ? CONTINUO_VERSION : "0.0.0-source";

/** The oldest Node that Continuo supports, as `engines` in package.json says. */
export const OLDEST_NODE = "22.19";

export function isTooOld(version: string = process.versions.node): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split(".").map(Number);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}
