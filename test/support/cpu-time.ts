/**
 * Seconds of processor time that this thread spent on some work. For tests that work does not take minutes: other programs
 * on the machine, and other threads of this process, make it no longer.
 */
export function cpuSeconds(work: () => void): number;
export function cpuSeconds(work: () => Promise<void>): Promise<number>;
export function cpuSeconds(work: () => void | Promise<void>): number | Promise<number> {
  const before = process.threadCpuUsage();
  const spent = () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1e6;
  };
  const done = work();
  return done === undefined ? spent() : done.then(spent);
}
