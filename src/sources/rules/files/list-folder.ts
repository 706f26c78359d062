import { type Dirent, opendirSync } from "node:fs";

/** A folder's entries by name, at most so many: listing a folder of a million names would take seconds by itself. */
export function listFolder(path: string, atMost: number): { entries: Dirent[]; isCut: boolean } {
  const folder = opendirSync(path, { bufferSize: 256 });
  try {
    const entries: Dirent[] = [];
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      if (entries.length >= atMost) return { entries: sorted(entries), isCut: true };
      entries.push(entry);
    }
    return { entries: sorted(entries), isCut: false };
  } finally {
    folder.closeSync();
  }
}

function sorted(entries: Dirent[]): Dirent[] {
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}
