import { hostname } from "node:os";

/** A name of this machine for use in file names: several machines may share a home. */
export function machine(): string {
  return (
    hostname()
      .toLowerCase()
      .replace(/[^0-9a-z]/g, "") || "local"
  );
}
