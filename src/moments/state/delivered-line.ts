/** One item of one delivery. */
export interface DeliveredItem {
  readonly at: string;
  readonly host: string;
  readonly session: string;
  readonly project: string | null;
  readonly epoch: number;
  readonly kind: "snapshot" | "addition";
  readonly source: string;
  readonly item: string;
  readonly title: string | null;
  readonly reason: string | null;
  readonly tokens: number;
  readonly cost: number;
  readonly fingerprint: string | null;
}

type LineReading = { items: DeliveredItem[] } | "malformed";

const NOTHING: LineReading = { items: [] };

/**
 * The content of one ledger line. Unknown kinds and versions are not errors: a newer Continuo may use the same ledger.
 */
export function readLedgerLine(line: string): LineReading {
  if (line.trim() === "") return NOTHING;
  const entry = parseObject(line);
  if (entry === undefined || typeof entry["kind"] !== "string" || !isCount(entry["v"])) return "malformed";
  if (entry["v"] !== 1 || entry["kind"] !== "delivered") return NOTHING;
  return delivered(entry) ?? "malformed";
}

function delivered(entry: Fields): LineReading | undefined {
  const { host, session, what, items } = entry;
  const at = instant(entry["at"]);
  const project = optionalText(entry["project"]);
  const fingerprint = optionalText(entry["fingerprint"]);
  const epoch = entry["epoch"] ?? 0;
  const cost = entry["tokens"] ?? 0;
  if (at === undefined || !isText(host) || !isText(session) || !Array.isArray(items)) return undefined;
  if (what !== "snapshot" && what !== "addition") return undefined;
  if (project === undefined || fingerprint === undefined || !isCount(epoch) || !isCount(cost))
    return undefined;
  const common = { at, host, session, project, epoch, kind: what, cost, fingerprint } as const;
  const rows: DeliveredItem[] = [];
  for (const raw of items as unknown[]) {
    const item = isFields(raw) ? itemOf(raw) : undefined;
    if (item === undefined) return undefined;
    rows.push({ ...common, ...item });
  }
  return { items: rows };
}

function itemOf(
  raw: Fields,
): Pick<DeliveredItem, "source" | "item" | "title" | "reason" | "tokens"> | undefined {
  const { source, key } = raw;
  const title = optionalText(raw["title"]);
  const reason = optionalText(raw["reason"]);
  const tokens = raw["tokens"] ?? 0;
  if (!isText(source) || !isText(key) || title === undefined || reason === undefined) return undefined;
  return isCount(tokens) ? { source, item: key, title, reason, tokens } : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

function parseObject(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : undefined;
  } catch (error) {
    // A line cut by a crash or a full disk: the caller counts it.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Times in UTC, all of the same length, so that they can be compared as text. */
function instant(value: unknown): string | undefined {
  const date = typeof value === "string" ? new Date(value) : undefined;
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function optionalText(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : undefined;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const isCount = (value: unknown): value is number => Number.isSafeInteger(value);
