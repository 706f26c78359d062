import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffEdits, patchEdits } from "../../../../src/hosts/shared/tool-use/patches.ts";

const PATCH = `*** Begin Patch
*** Add File: src/new.ts
+export const a = 1;
+
+export const b = 2;
*** Update File: src/old.ts
*** Move to: src/moved.ts
@@ function f() {
 context
-removed
+added one
+added two
 context
-moved within the file
@@
+moved within the file
+*** not a header
*** Delete File: src/gone.ts
*** Update File: src/renamed.ts
*** Move to: src/other.ts
*** End Patch
`;

describe("a patch of apply_patch", () => {
  it("adds what its lines with a plus say, to the new path, and nothing that only moved", () => {
    expect(patchEdits(PATCH)).toEqual([
      {
        path: "src/new.ts",
        kind: "whole",
        isNew: true,
        hunks: [{ text: "export const a = 1;\n\nexport const b = 2;", line: 1 }],
      },
      {
        path: "src/moved.ts",
        kind: "part",
        hunks: [{ text: "added one\nadded two" }, { text: "*** not a header" }],
      },
    ]);
  });

  it("is the same with the line ends of Windows", () => {
    expect(patchEdits(PATCH.replaceAll("\n", "\r\n"))).toEqual(patchEdits(PATCH));
  });
});

describe("a unified diff", () => {
  it("adds lines with their numbers", () => {
    const diff = `diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -10,4 +10,5 @@ function f() {
 context
-removed
+added
+++ counter
 context
\\ No newline at end of file
@@ -50 +51,2 @@
 x
+late
--- /dev/null
+++ b/src/new.ts
@@ -0,0 +1 @@
+first
--- a/src/gone.ts
+++ /dev/null
@@ -1 +0,0 @@
-last
`;
    expect(diffEdits(diff)).toEqual([
      {
        path: "src/a.ts",
        kind: "part",
        hunks: [
          { text: "added\n++ counter", line: 11 },
          { text: "late", line: 52 },
        ],
      },
      { path: "src/new.ts", kind: "whole", isNew: true, hunks: [{ text: "first", line: 1 }] },
    ]);
  });
});

it("reads any text", () => {
  const line = fc.constantFrom(
    "*** Begin Patch",
    "*** Add File: a",
    "*** Update File: b",
    "*** Move to: c",
    "*** End Patch",
    "--- a/x",
    "+++ b/x",
    "@@ -1,99999999 +1 @@",
    "@@",
    "+x",
    "-y",
    " z",
    "",
    "\\",
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
      for (const edit of [...patchEdits(lines.join("\n")), ...diffEdits(lines.join("\n"))])
        for (const { text } of edit.hunks) expect(text).not.toBe("");
    }),
  );
});
