// The MCP kit builds a schema for everything in the protocol when it is loaded, 200 of them, only to export them: that was
// half of the server's start. With these two changes esbuild sees which ones nobody uses and leaves them out.
// Where a new version of the kit is written in another way nothing is changed, and the start is merely slower again.
import { readFileSync } from "node:fs";

export const leanMcpSdk = {
  name: "lean-mcp-sdk",
  setup({ onLoad }) {
    onLoad({ filter: /@modelcontextprotocol[\\/](core|server)[\\/]dist[\\/][^\\/]+\.mjs$/ }, ({ path }) => {
      const contents = readFileSync(path, "utf8")
        // A call that is marked as pure, and has no arguments, may be dropped when its result is not used.
        .replaceAll(
          /^const (\w+Schema) = ([\s\S]*?);\n(?=[^\s}]|\n)/gm,
          "const $1 = /* @__PURE__ */ (() => ($2))();\n",
        )
        // Fills a table of all of them by name, which is exported and used by nobody here.
        .replaceAll(/^for \(const .+\) register\(.+\);$/gm, "");
      return { contents, loader: "js" };
    });
  },
};
