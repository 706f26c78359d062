import { expect, it } from "vitest";
import type { OfferContext } from "../../../src/moments/ports/offer.ts";
import { contextOffer } from "../../../src/sources/sets/offer.ts";
import { callIn } from "../../support/engine.ts";
import { temporaryWorld } from "../../support/world.ts";

const [completer] = contextOffer.completers ?? [];
const [sets] = contextOffer.commands ?? [];

const prompt = (): OfferContext => callIn(temporaryWorld());

it("shows, replaces and empties a session's sets", async () => {
  const at = prompt();
  expect(await sets?.run("", at)).toBe("This session keeps no sets.");
  await sets?.run(" ports  8080 9090 ", at);
  await sets?.run("files spec.md", at);
  expect(await sets?.run("", at)).toBe(`ports:\n  8080\n  9090\nfiles:\n  ${at.cwd}/spec.md`);
  await sets?.run("ports 3000", at);
  expect(await sets?.run("ports", at)).toBe("ports:\n  3000");
  await sets?.run("ports -", at);
  expect(await sets?.run("ports", at)).toBe("ports: none");
  expect(await sets?.run("prots 1", at)).toContain('did you mean "ports"?');
  await expect(sets?.run("7", at)).rejects.toThrow("cannot have a name");
});

it("completes the name of a set to its items, and nothing else", async () => {
  const at = prompt();
  await sets?.run("ports 8080 9090", at);
  expect(await completer?.complete("see #P", at)).toEqual({
    replaces: "#P",
    items: [{ value: "8080 9090", label: "#ports", description: "8080, 9090" }],
  });
  expect(await completer?.complete("#", at)).toMatchObject({ replaces: "#" });
  for (const before of ["issue#po", "#files", "#12", "see #ports now", "@po", ""])
    expect(await completer?.complete(before, at), before).toBeUndefined();
});

it("completes a set's name as the command's argument, also known names without items", async () => {
  const at = prompt();
  await sets?.run("paths-of-mine x", at);
  const names = async (argument: string) => (await sets?.complete?.(argument, at))?.map((one) => one.value);
  expect(await names("p")).toEqual(["paths-of-mine", "ports"]);
  expect(await names("ports 80")).toEqual([]);
});
