import { describe, expect, it } from "vitest";
import { askedModel, ID, reply } from "../../sources/sessions/answers/asked-model.ts";
import { CONTINUO } from "../../support/child.ts";
import { startServer, textOf } from "./server.ts";

const ARGS = { session: ID, question: "how often do we retry?" };

describe("query_session of the MCP server", () => {
  it("answers with what a model composed, where the user has named one", async () => {
    const { env, root, server: model } = await askedModel(() => reply());
    const server = startServer(CONTINUO, env, root);
    await server.initialize();
    const text = textOf(await server.call("query_session", ARGS));
    expect(text).toContain("Composed by endpoint/small");
    expect(text).toContain("Once, because the gateway is slow.");
    expect(model.requests).toHaveLength(1);
  });

  it("cancels its request to the model when the client cancels the call, and continues", async () => {
    const asked = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    const { env, root, health } = await askedModel((_, response) => {
      response.on("close", () => left.resolve());
      asked.resolve();
      return undefined;
    });
    const server = startServer(CONTINUO, env, root);
    await server.initialize();
    void server.call("query_session", ARGS);
    await asked.promise;
    server.sendLine(
      JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } }),
    );
    await left.promise;
    expect((await server.request("ping")).result).toEqual({});
    expect(health()).toEqual([]);
  });
});
