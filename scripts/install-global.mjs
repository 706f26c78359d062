// Builds the package and installs a copy of it globally: `npm run install:global`. `npm install -g .` would only link the
// global package to the clone, which breaks as soon as the clone moves, and npm 12 would not even build it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { nodeRefusal, usersNode } from "./node-refusal.mjs";
import { npm, orExplain, root, say } from "./npm.mjs";
import { withPackage } from "./pack.mjs";

const { version, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
// Not the Node that runs this: in a clone that may be the one of its packages.
const node = usersNode(process.env);
const refusal = nodeRefusal(node.version, engines.node);
if (refusal !== undefined) {
  say(`${refusal} This one is ${node.path}.`);
  process.exit(1);
}
say("builds and installs a copy: about a minute, more on a busy machine");
// A command needs no type declarations, and they need the compiler.
orExplain(() =>
  withPackage({ bundled: true, types: false }, (stage) => {
    say("installing");
    npm(["install", "--global", "--install-links", "--ignore-scripts", stage]);
  }),
);
say(`version ${version} is installed. Run continuo in one of your projects.`);
