/** A copy without any of the secrets, wherever in it they are: what goes to the page passes through here. */
export function hideSecrets<T>(value: T, secrets: readonly string[]): T {
  const json = JSON.stringify(value);
  const hidden = secrets.reduce((text, secret) => {
    // As it is written inside a JSON string.
    const written = JSON.stringify(secret).slice(1, -1);
    return text.includes(written) ? text.replaceAll(written, "[key]") : text;
  }, json);
  return hidden === json ? value : (JSON.parse(hidden) as T);
}
