// npm runs this after `npm install` in a clone, and at `npm install -g .`, where a copy replaces npm's link to the clone.
// Packing makes npm run `prepare` again, in some versions also with --ignore-scripts: the mark ends the circle.
const { npm_config_global, npm_command, CONTINUO_PREPARING } = process.env;

if (CONTINUO_PREPARING === undefined && npm_command === "install") {
  if (npm_config_global === "true") await import("./install-global.mjs");
  else await import("./build.mjs");
}
