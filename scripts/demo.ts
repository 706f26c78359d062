// Fills a folder with the demonstration's machine and prints how to look at it: node scripts/demo.ts FOLDER
import { mkdirSync, readdirSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { demoWorld } from "../test/support/demo/world.ts";

const folder = resolve(process.argv[2] ?? "");
if (process.argv[2] === undefined) throw new Error("usage: node scripts/demo.ts FOLDER");
mkdirSync(folder, { recursive: true });
if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty`);
const { env, root } = await demoWorld(realpathSync(folder), Date.now());
process.stdout.write(
  `cd ${root} && HOME=${env["HOME"]} CONTINUO_HOME=${env["CONTINUO_HOME"]} continuo web\n`,
);
