/**
 * Files that the page neither shows nor writes, even inside a project: keys and passwords, which should not appear on a
 * shared screen, and git's own files, because a changed hook or config runs a program.
 */
const FOLDERS: ReadonlySet<string> = new Set([
  ".git",
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".docker",
  ".password-store",
]);

const FILES: readonly RegExp[] = [
  /^\.env(rc)?$/,
  // Committed examples of these files contain no secrets.
  /^\.env\.(?!(.+\.)?(example|sample|template|dist|defaults)$)/,
  /^(\.|_)netrc$/,
  /^\.(npmrc|yarnrc|pypirc|pgpass|my\.cnf|htpasswd|git-credentials|terraformrc|vault-token|dockercfg)$/,
  /^\.?credentials(\.json|\.toml|\.ya?ml|\.xml|\.ini)?$/,
  /^(auth|client_secret.*|service[-_]account.*)\.json$/,
  /^id_(rsa|dsa|ecdsa|ed25519)(_sk)?$/,
  /\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|gpg)$/,
  /\.tfstate(\.backup)?$/,
];

/** Why a path is refused; undefined if it may be shown. Ignores case, as some file systems do. */
export function whyRefused(real: string): string | undefined {
  const names = real.toLowerCase().split(/[\\/]/);
  const folder = names.find((name) => FOLDERS.has(name));
  if (folder !== undefined) return `files in ${folder} are not shown`;
  const name = names.at(-1) ?? "";
  return FILES.some((pattern) => pattern.test(name))
    ? "this file usually holds keys or passwords"
    : undefined;
}
