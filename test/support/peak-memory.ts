/**
 * An expression for a child process: its own peak memory in KB. Not `resourceUsage().maxRSS` on Linux, which counts the
 * memory of the process that started it: a test worker that ran many files has far more than the child.
 */
export const PEAK_KB = `(() => {
  try {
    const status = process.getBuiltinModule("node:fs").readFileSync("/proc/self/status", "utf8");
    return Number(/VmHWM:\\s+(\\d+)/.exec(status)[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
})()`;
