import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { permissionOf } from "../../../../src/hosts/copilot/chat/permission.ts";
import { temporaryFolder } from "../../../support/world.ts";

function project(): string {
  const root = join(temporaryFolder(), "project");
  mkdirSync(join(root, "src"), { recursive: true });
  return root;
}
const edit = (fileName: string) => ({ kind: "write", fileName, diff: "+x", canOfferSessionApproval: true });

describe("what counts as the same for a session", () => {
  it("is every file of the project", () => {
    const cwd = project();
    const one = permissionOf(edit(join(cwd, "a.ts")), cwd).same;
    expect(one?.label).toBe("all edits in this project");
    expect(permissionOf(edit(join(cwd, "src/new/b.ts")), cwd).same).toEqual(one);
    expect(permissionOf({ kind: "read", path: join(cwd, "a.ts") }, cwd).same).not.toEqual(one);
  });

  it("is nothing outside of it, whatever the path looks like", () => {
    const cwd = project();
    symlinkSync("/etc", join(cwd, "link"));
    for (const path of ["/etc/passwd", join(cwd, "../x"), join(cwd, "link/passwd"), `${cwd}2/a`, "../x", cwd])
      expect(permissionOf(edit(path), cwd).same, path).toBeUndefined();
  });

  it("is nothing that a link leads to, also if nothing is there yet, and the person sees where", () => {
    const cwd = project();
    const outside = join(cwd, "../outside");
    symlinkSync(join(outside, "planted.txt"), join(cwd, "CHANGES.txt"));
    symlinkSync("../outside", join(cwd, "dir"));
    symlinkSync("dir", join(cwd, "twice"));
    symlinkSync("src", join(cwd, "within"));
    symlinkSync("loop", join(cwd, "loop"));
    for (const [path, target] of [
      ["CHANGES.txt", join(outside, "planted.txt")],
      ["dir/x/y.txt", join(outside, "x/y.txt")],
      ["twice/x.txt", join(outside, "x.txt")],
      ["within/a.ts", join(cwd, "src/a.ts")],
      ["within/../../a.ts", join(cwd, "../a.ts")],
    ] as const)
      for (const asked of [path, `${cwd}/${path}`])
        expect(permissionOf(edit(asked), cwd), asked).toEqual({
          ...{ kind: "edit", tool: "edit", diff: "+x", detail: join(cwd, path) },
          target,
        });
    const loop = permissionOf({ kind: "read", path: "loop/a" }, cwd);
    expect(loop.same).toBeUndefined();
    expect(loop.target).toBeDefined();
  });

  it("is every file of a project that is reached through a link", () => {
    const real = project();
    const cwd = join(real, "../link");
    symlinkSync(real, cwd);
    for (const path of [join(cwd, "a.ts"), join(real, "a.ts"), "a.ts"])
      expect(permissionOf(edit(path), cwd).same?.label, path).toBe("all edits in this project");
  });

  it("is nothing of git's own files, which can make it run programs", () => {
    const cwd = project();
    for (const path of [".git/hooks/pre-commit", ".GIT/config", "sub/.git/config"])
      expect(permissionOf(edit(join(cwd, path)), cwd).same, path).toBeUndefined();
  });

  it("is the exact command, and the address of the same server", () => {
    const shell = (fullCommandText: string) =>
      permissionOf({ kind: "shell", fullCommandText }, "/p").same?.key;
    expect(shell("npm test")).toBe(shell("npm test"));
    expect(shell("npm test")).not.toBe(shell("npm test && rm -rf /"));
    const url = (address: string) => permissionOf({ kind: "url", url: address }, "/p").same?.key;
    expect(url("https://a.example/x")).toBe(url("https://a.example/y"));
    expect(url("https://a.example/x")).not.toBe(url("https://b.example/x"));
    expect(url("not an address")).toBeUndefined();
  });

  it("is never what a rule wants confirmed, or something unknown", () => {
    expect(
      permissionOf({ kind: "hook", toolName: "bash", intention: "Safe.", hookMessage: "Sure?" }, "/p"),
    ).toMatchObject({
      kind: "rule",
      reason: "Sure?",
    });
    for (const request of [{ kind: "hook" }, { kind: "new-kind", x: 1 }, undefined, 7, null])
      expect(permissionOf(request, "/p").same).toBeUndefined();
  });
});
