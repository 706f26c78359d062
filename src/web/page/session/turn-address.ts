/** The turn that the address names after `#`. */
export function turnInAddress(): string | undefined {
  const { hash } = location;
  if (hash.length < 2) return undefined;
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return undefined; // not one of our links
  }
}
