/** Why this Node cannot run Continuo, and what to do; nothing if it can. `engines`: such as ">=22.19". */
export function nodeRefusal(version, engines) {
  const wanted = engines.replace(">=", "");
  const [major, minor] = version.split(".").map(Number);
  const [wantedMajor, wantedMinor] = wanted.split(".").map(Number);
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return undefined;
  return `Continuo needs Node ${wanted} or newer, and this is Node ${version}. Install a newer one (https://nodejs.org), then run this again.`;
}
