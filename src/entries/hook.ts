import { hookMain } from "./hook-main.ts";

hookMain(process.argv.slice(3));
