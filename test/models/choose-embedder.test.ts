import { describe, expect, it } from "vitest";
import { readSettings } from "../../src/base/settings.ts";
import { chooseEmbedder } from "../../src/models/choose-embedder.ts";
import { SEMANTIC_SETTINGS, type SemanticSettings } from "../../src/models/semantic-settings.ts";
import { homeAt } from "../../src/store/home.ts";

const home = homeAt("/no/such/home");
const given = (raw: object): SemanticSettings =>
  readSettings(raw, SEMANTIC_SETTINGS, {}).values as unknown as SemanticSettings;

describe("the choice of an embedder", () => {
  it("is none by default, even if there is an address", () => {
    expect(chooseEmbedder(given({}), home, {})).toBeUndefined();
    expect(chooseEmbedder(given({ semanticUrl: "http://127.0.0.1:1/v1" }), home, {})).toBeUndefined();
  });

  it("says how to install the local model if there is none", () => {
    expect(() => chooseEmbedder(given({ semantic: "local" }), home, {})).toThrow(
      expect.objectContaining({
        code: "local-model-missing",
        hint: expect.stringContaining(`npm install --prefix "${home.root}`),
      }),
    );
  });

  const endpoint = { semantic: "endpoint", semanticUrl: "http://127.0.0.1:1/v1", semanticModel: "m" };
  it.each([
    { semanticUrl: "" },
    { semanticUrl: "file:///etc/passwd" },
    { semanticModel: "" },
    { semanticKeyEnv: "NO_SUCH_KEY" },
    { semanticUrl: "http://me:secret@127.0.0.1:1/v1" },
    { semanticKeyEnv: "BROKEN_KEY" },
    { semanticKeyEnv: "sk-itself" },
  ])("refuses an endpoint with %o", (more) => {
    expect(() => chooseEmbedder(given({ ...endpoint, ...more }), home, { BROKEN_KEY: "a\nb" })).toThrow(
      expect.objectContaining({ code: "semantic-settings" }),
    );
  });

  it("identifies the model and the endpoint, because vectors of another one cannot be compared", () => {
    const one = chooseEmbedder(given(endpoint), home, {});
    const other = chooseEmbedder(given({ ...endpoint, semanticModel: "n" }), home, {});
    expect(one?.id).not.toBe(other?.id);
  });
});
