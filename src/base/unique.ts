/** A word that no other process and no other call makes: for file names, not for secrets. */
export function unique(): string {
  // The clock of nanoseconds tells calls of one process apart, chance those of processes started together.
  return `${process.hrtime.bigint().toString(36)}${Math.random().toString(36).slice(2, 10)}`;
}
