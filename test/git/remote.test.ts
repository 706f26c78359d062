import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ownerAndName, plainRemote, remoteOf } from "../../src/git/remote.ts";
import { temporaryFolder, write } from "../support/world.ts";

describe("plainRemote", () => {
  it.each([
    ["git@github.com:Acme/Shop.git", "github.com/acme/shop"],
    ["https://github.com/acme/shop", "github.com/acme/shop"],
    ["https://github.com/acme/shop.git/", "github.com/acme/shop"],
    ["https://sam:pa55/w@rd@git.example.org/acme/shop.git", undefined],
    ["https://sam:pa55w@rd@git.example.org/acme/shop.git", "git.example.org/acme/shop"],
    ["ssh://git@git.example.org:2222/group/sub/shop.git", "git.example.org/group/sub/shop"],
    ["https://x-access-token:ghp_abc@github.com/acme/shop?token=abc#frag", "github.com/acme/shop"],
    ["/srv/git/shop.git", undefined],
    ["../shop", undefined],
    ["C:/work/shop", undefined],
    ["file:///srv/git/shop.git", undefined],
    ["https://github.com/", undefined],
    ["https://github.com/acme/sh\u202eop", undefined],
    ["https://github.com/acme/<continuo>", undefined],
    ["", undefined],
  ])("reads %s as %s", (address, plain) => {
    expect(plainRemote(address)).toBe(plain);
  });

  it("never contains a user or a password, whatever they are", () => {
    const secret = fc.string({ minLength: 4, maxLength: 30 }).filter((one) => /\w{4}/.test(one));
    fc.assert(
      fc.property(secret, (password) => {
        const plain = plainRemote(`https://robin:${password}@example.org/acme/shop.git`);
        expect(plain === undefined || plain === "example.org/acme/shop").toBe(true);
      }),
    );
  });
});

describe("remoteOf", () => {
  it("prefers origin, takes the only other one, and none of several", () => {
    const folder = temporaryFolder();
    const remote = (name: string, owner: string) =>
      `[remote "${name}"]\n\turl = git@github.com:${owner}/shop.git\n\tfetch = +refs/heads/*\n`;
    write(folder, {
      "a/config": remote("fork", "sam") + remote("origin", "acme"),
      "b/config": remote("upstream", "acme"),
      "c/config": remote("one", "acme") + remote("two", "sam"),
      "d/config": "[core]\n\tbare = false\n",
    });
    const of = (name: string) => remoteOf(join(folder, name));
    expect(["a", "b", "c", "d", "missing"].map(of)).toEqual([
      "github.com/acme/shop",
      "github.com/acme/shop",
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("does not read a device that a repository puts in place of its config", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "git"));
    symlinkSync("/dev/zero", join(folder, "git", "config"));
    expect(remoteOf(join(folder, "git"))).toBeUndefined();
  });
});

describe("ownerAndName", () => {
  it("is what people say", () => {
    expect(ownerAndName("github.com/acme/shop")).toBe("acme/shop");
  });
});
