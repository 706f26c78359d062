import { openIndex } from "../../../src/store/derived-index/open.ts";
import type { Migration } from "../../../src/store/derived-index/shape.ts";
import { awaitGun, pause } from "../sqlite/children.ts";

const STEPS = ["one", "two", "three", "four", "five"];

/** Each step says in a table that it ran, so that one run twice shows; and takes its time, to be caught at it. */
export const steps: readonly Migration[] = STEPS.map((name, index) => ({
  id: index + 1,
  name,
  up(db) {
    if (index === 0) db.exec("CREATE TABLE IF NOT EXISTS log (step TEXT)");
    db.exec(`CREATE TABLE IF NOT EXISTS ${name} (a)`);
    db.run("INSERT INTO log VALUES (?)", [name]);
    pause(4);
  },
}));

/** What the index's tests start as processes of their own; the first argument chooses. */
export const indexChildren: Record<string, (...args: string[]) => void> = {
  "index-open"(file = "", gun = "") {
    awaitGun(gun);
    const rebuilt: string[] = [];
    const db = openIndex({ path: file, migrations: steps, onRebuilt: (reason) => rebuilt.push(reason) });
    db.run("INSERT INTO one VALUES (?)", [process.pid]);
    db.close();
    console.log(JSON.stringify({ pid: process.pid, rebuilt }));
  },
};
