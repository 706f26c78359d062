/** Put in by the build; a checkout that runs from source has none. */
declare const CONTINUO_VERSION: string | undefined;

export const version = typeof CONTINUO_VERSION === "string" ? CONTINUO_VERSION : "0.0.0-source";
