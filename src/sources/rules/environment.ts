/** What the machine and the environment say, as conditions ask for it. */

const CI_SIGNS = [
  "CONTINUOUS_INTEGRATION",
  "BUILD_NUMBER",
  "GITHUB_ACTIONS",
  "GITLAB_CI",
  "CIRCLECI",
  "TRAVIS",
  "JENKINS_URL",
  "BUILDKITE",
  "TEAMCITY_VERSION",
];

/** `CI` decides when it is set, also when it says no; otherwise any other sign of a CI service. */
export function isCi(env: NodeJS.ProcessEnv): boolean {
  const ci = env["CI"];
  if (ci !== undefined) return ci !== "" && ci !== "false" && ci !== "0";
  return CI_SIGNS.some((name) => Boolean(env[name]));
}

/** The slash command that a prompt begins with, without its slash; null when it is none. */
export function commandOf(prompt: string): string | null {
  return /^\s*\/([^\s/]{1,256})(?=\s|$)/.exec(prompt)?.[1] ?? null;
}
