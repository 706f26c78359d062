import { describe, expect, it } from "vitest";
import { imagesIn } from "../../../../src/hosts/shared/history/turns.ts";

const data = "A".repeat(400);

describe("images in a message", () => {
  it.each([
    ["Claude Code", { type: "image", source: { type: "base64", media_type: "image/png", data } }],
    ["pi", { type: "image", mimeType: "image/png", data }],
    ["Codex", { type: "input_image", image_url: `data:image/png;base64,${data}` }],
    ["OpenCode", { type: "file", mime: "image/png", url: `data:image/png;base64,${data}` }],
    ["Gemini", { inlineData: { mimeType: "image/png", data } }],
  ])("are told by type and size in the form of %s", (_, block) => {
    expect(imagesIn([{ type: "text", text: "look" }, block])).toEqual([{ kind: "image/png", bytes: 300 }]);
    expect(imagesIn([{ type: "tool_result", content: [block] }])).toEqual([
      { kind: "image/png", bytes: 300 },
    ]);
  });

  it("have no size if the transcript only names them, and other files are none", () => {
    expect(imagesIn([{ type: "input_image", image_url: "https://example.org/a.png" }])).toEqual([
      { kind: "image", bytes: 0 },
    ]);
    expect(
      imagesIn([{ type: "file", mime: "application/pdf", url: `data:application/pdf,${data}` }]),
    ).toEqual([]);
    expect(imagesIn("text")).toEqual([]);
  });

  it("are bounded", () => {
    expect(imagesIn(Array.from({ length: 500 }, () => ({ type: "image", data })))).toHaveLength(20);
  });
});
