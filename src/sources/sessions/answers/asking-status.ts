import type { OfferContext } from "../../../moments/ports/offer.ts";

// In a separate file because the status line loads it, and needs nothing else of the answers.

type StatusPlace = Pick<OfferContext, "home" | "session">;

/** The status line of each session whose user waits for a model. */
const statusLines = new Map<string, string>();

export function askingStatus(place: StatusPlace): string {
  return statusLines.get(placeOf(place)) ?? "";
}

/** Runs work that may show a status line; removes the line afterwards. */
export async function withStatus<T>(
  at: StatusPlace,
  changed: () => void,
  work: (show: (line: string) => void) => Promise<T>,
): Promise<T> {
  const place = placeOf(at);
  try {
    return await work((line) => {
      statusLines.set(place, line);
      changed();
    });
  } finally {
    if (statusLines.delete(place)) changed();
  }
}

function placeOf({ home, session }: StatusPlace): string {
  return `${home.root}\n${session.host}/${session.id}`;
}
