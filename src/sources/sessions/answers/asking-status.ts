import type { OfferContext } from "../../../moments/ports/offer.ts";

type Seat = Pick<OfferContext, "home" | "session">;

/** What the status line says of each session whose user waits for a model. */
const told = new Map<string, string>();

export function askingStatus(seat: Seat): string {
  return told.get(placeOf(seat)) ?? "";
}

/** Work that tells what it waits for; when it is done the line is taken away again. */
export async function withStatus<T>(
  seat: Seat,
  changed: () => void,
  work: (tell: (line: string) => void) => Promise<T>,
): Promise<T> {
  const place = placeOf(seat);
  try {
    return await work((line) => {
      told.set(place, line);
      changed();
    });
  } finally {
    if (told.delete(place)) changed();
  }
}

function placeOf({ home, session }: Seat): string {
  return `${home.root}\n${session.host}/${session.id}`;
}
