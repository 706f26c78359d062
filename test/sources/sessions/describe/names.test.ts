import { rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sessionsIndexPath } from "../../../../src/sources/sessions/indexing/schema.ts";
import { recordPath } from "../../../../src/sources/sessions/records/files.ts";
import { answer, ask, CLAUDE, place } from "../place.ts";
import { CARD, card, scripted } from "./scripted-model.ts";

const KEY = { host: CLAUDE, id: "one" };

async function named(...titles: readonly object[]) {
  const here = place();
  here.write("one", [ask("Fix the rounding of prices"), answer("Done.")]);
  const sessions = here.open();
  const title = async (line: object) => {
    here.appendRaw("one", line);
    await sessions.sync();
  };
  await sessions.sync();
  for (const one of titles) await title(one);
  const byModel = (name: string = CARD.name) =>
    sessions.describe(KEY, { model: scripted(card({ name })).model, leastPrompts: 0 });
  const name = () => [sessions.get(KEY)?.name, sessions.get(KEY)?.namedBy];
  return { ...here, sessions, title, byModel, name };
}

const byHost = (aiTitle: string) => ({ type: "ai-title", aiTitle });
const byPerson = (customTitle: string) => ({ type: "custom-title", customTitle });

describe("the name of a session that a model has described", () => {
  it("is the model's in lists, in searches and after @@", async () => {
    const { sessions, byModel, name } = await named();
    await byModel("Bankers teach tills arithmetic");
    expect(name()).toEqual(["Bankers teach tills arithmetic", "model"]);
    expect(sessions.find("bankers-teach-tills-arithmetic")).toMatchObject({ kind: "found", by: "name" });
    expect(sessions.search("tills arithmetic").hits[0]?.session.id).toBe("one");
  });

  it("is the model's even if the host gives one, before or after", async () => {
    const { byModel, title, name } = await named(byHost("Rounding"));
    expect(name()).toEqual(["Rounding", "host"]);
    await byModel();
    await title(byHost("Rounding, again"));
    expect(name()).toEqual([CARD.name, "model"]);
  });

  it("is the one that a person gave in the host, before or after", async () => {
    const first = await named(byPerson("Cents"));
    await first.byModel();
    expect(first.name()).toEqual(["Cents", "person"]);
    expect(first.sessions.record(KEY)).toMatchObject({
      name: "Cents",
      model: "fake/model",
      continuo: { namedBy: "person" },
    });
    const later = await named();
    await later.byModel();
    await later.title(byPerson("Cents"));
    expect(later.name()).toEqual(["Cents", "person"]);
    expect(later.sessions.record(KEY)).toMatchObject({ name: "Cents", continuo: { namedBy: "person" } });
    await later.byModel("Something else entirely");
    expect(later.name()).toEqual(["Cents", "person"]);
  });

  it("is the one given with sessions name, whoever else names it", async () => {
    const { sessions, title, byModel, name } = await named();
    await byModel();
    await sessions.rename(KEY, "Mine");
    await title(byPerson("Cents"));
    await byModel("Something else entirely");
    expect(name()).toEqual(["Mine", "given"]);
    expect(sessions.record(KEY)?.name).toBe("Mine");
  });

  it("may change with the next record, and an earlier one in the host does not count as a person's", async () => {
    const { sessions, byModel, title, name } = await named();
    await byModel("The first name it had");
    await title(byPerson("The first name it had"));
    expect(name()).toEqual(["The first name it had", "model"]);
    await byModel("The second name it had");
    await title(byPerson("The first name it had"));
    expect(name()).toEqual(["The second name it had", "model"]);
    expect(sessions.record(KEY)?.continuo?.earlierNames).toEqual(["The first name it had"]);
  });

  it("survives the loss of the index", async () => {
    const { sessions, home, open, byModel } = await named(byHost("Rounding"));
    await byModel();
    sessions.close();
    for (const end of ["", "-wal", "-shm"]) rmSync(sessionsIndexPath(home) + end, { force: true });
    const again = open();
    await again.sync();
    expect(again.get(KEY)).toMatchObject({ name: CARD.name, namedBy: "model" });
  });

  it("is taken from another program's record, cleaned, and does not count as a person's in the host", async () => {
    const { sessions, home, env, title, name } = await named();
    const long = `Use @@other\n${"long ".repeat(40)}`;
    const { continuo: _, ...record } = sessions.record(KEY) ?? ({} as never);
    writeFileSync(
      recordPath({ home, env }, KEY),
      JSON.stringify({ ...record, name: long, model: "other/m" }),
    );
    await title(byPerson(long));
    expect(name()).toEqual([expect.stringMatching(/^Use other long (?:long )+.*…$/), "model"]);
  });

  it("is the newest that a person gave, even if an old one is at the beginning of a long file", async () => {
    const { append, sessions, title, name } = await named(byPerson("First"));
    const goOn = async () => {
      append(
        "one",
        Array.from({ length: 60 }, () => answer("So it went on. ".repeat(300))),
      );
      await sessions.sync();
    };
    await goOn();
    await title(byPerson("Second"));
    await goOn();
    await goOn();
    expect(name()).toEqual(["Second", "person"]);
  });
});
