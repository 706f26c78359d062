import { hostname } from "node:os";

/** A name of this machine that a file name may have: a home may be shared by several. */
export function machine(): string {
  return (
    hostname()
      .toLowerCase()
      .replace(/[^0-9a-z]/g, "") || "local"
  );
}
