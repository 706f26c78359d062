import { spawnSync } from "node:child_process";
import { delimiter, sep } from "node:path";

/** Why this Node cannot run Continuo, and what to do; nothing if it can. `engines`: such as ">=22.19". */
export function nodeRefusal(version, engines) {
  const wanted = engines.replace(">=", "");
  const [major, minor] = version.split(".").map(Number);
  const [wantedMajor, wantedMinor] = wanted.split(".").map(Number);
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return undefined;
  return `Continuo needs Node ${wanted} or newer, and this is Node ${version}. Install a newer one, such as Node 24 (https://nodejs.org, or: nvm install 24), then run this again.`;
}

/** The Node that an installed `continuo` will run on: npm puts the programs of a clone's packages before it on the PATH. */
export function usersNode(env) {
  const folders = (env.PATH ?? "").split(delimiter).filter((one) => !one.split(sep).includes("node_modules"));
  const ask =
    "process.stdout.write(JSON.stringify({ version: process.versions.node, path: process.execPath }))";
  const { status, stdout } = spawnSync("node", ["-e", ask], {
    env: { ...env, PATH: folders.join(delimiter) },
    encoding: "utf8",
  });
  return status === 0 ? JSON.parse(stdout) : { version: process.versions.node, path: process.execPath };
}

/** `npm start` works with an old Node. Whoever goes on to install Continuo should know before that this does not. */
export function noteForSample(env, engines) {
  if (env.npm_lifecycle_event !== "prestart") return undefined;
  const { version, path } = usersNode(env);
  if (nodeRefusal(version, engines) === undefined) return undefined;
  const wanted = engines.replace(">=", "");
  return `the sample runs on the Node of its packages. To install Continuo you need Node ${wanted} or newer, such as Node 24 (https://nodejs.org, or: nvm install 24). Yours is Node ${version} (${path}).`;
}
