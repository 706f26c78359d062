import { existsSync } from "node:fs";
import module from "node:module";
import { isAbsolute, join } from "node:path";

/**
 * Lets Node keep the compiled code of what is loaded from here on, below the home: compiling is a fifth of what a hook
 * costs besides Node itself. Node checks what it kept against the source and its own version. Nothing is kept where there
 * is no home yet: a command that only looks must not make one.
 */
export function keepCompiled(env: NodeJS.ProcessEnv): void {
  const home = env["CONTINUO_HOME"] || join(env["HOME"] || env["USERPROFILE"] || "", ".continuo");
  if (!isAbsolute(home) || !existsSync(join(home, "state"))) return;
  const before = process.umask(0o077);
  try {
    module.enableCompileCache?.(join(home, "cache", "compiled"));
  } finally {
    process.umask(before);
  }
}
