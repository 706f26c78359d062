// `npm pack` and `npm publish` in a clone would make a package that installs everything which is bundled already.
import { say } from "./npm.mjs";

say(
  "`npm pack` makes the wrong package here. Run: npm run pack -- FOLDER (the file that is published; it needs no network)",
);
process.exit(1);
