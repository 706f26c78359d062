/** FNV-1a of the pieces' bytes, so that the fixture need not hold the pieces. */
export function hashOfPieces(pieces: readonly string[]): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(pieces.join(" "))) hash = Math.imul(hash ^ byte, 16777619);
  return hash >>> 0;
}
