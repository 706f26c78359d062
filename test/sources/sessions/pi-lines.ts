const stamp = (second: number) => new Date(Date.UTC(2026, 10, 15, 12, 0, second)).toISOString();

/** The first line of a pi transcript. */
export const piHeader = (id: string, second = 0, more: object = {}) => ({
  type: "session",
  version: 3,
  id,
  timestamp: stamp(second),
  cwd: "/work/shop",
  ...more,
});

/** A turn of a pi transcript; turns with the same parent are branches. */
export const piTurn = (id: string, parentId: string | null, role: string, text: string, second = 1) => ({
  type: "message",
  id,
  parentId,
  timestamp: stamp(second),
  message: { role, content: [{ type: "text", text }] },
});
