import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderOfUser, metaFile } from "../../../src/moments/state/session-meta.ts";
import { sessionsIndexPath } from "../../../src/sources/sessions/indexing/index-path.ts";
import { recordPath } from "../../../src/sources/sessions/records/files.ts";
import { answer, ask, CLAUDE, place } from "./place.ts";

const KEY = { host: CLAUDE, id: "one" };
const MADE = "Fix the rounding of prices in the cart";

async function talked(id = KEY.id) {
  const here = place();
  here.write(id, [ask(`${MADE}.`, "t1"), answer("Prices are rounded half to even.")]);
  const sessions = here.open();
  await sessions.sync();
  const key = { host: CLAUDE, id };
  const meta = metaFile(here.home, folderOfUser(here.env), key, { lockWaitMs: 1000 });
  return { ...here, sessions, meta, key, name: () => [sessions.get(key)?.name, sessions.get(key)?.namedBy] };
}

describe("the name that a person gave a session", () => {
  it("is stored in its metadata, and index, record and references have the same", async () => {
    const { sessions, meta, name } = await talked();
    expect(await sessions.rename(KEY, "Cents\nand @@sense")).toBe("Cents and sense");
    expect(meta.read()?.name).toBe("Cents and sense");
    expect(name()).toEqual(["Cents and sense", "given"]);
    expect(sessions.record(KEY)?.name).toBe("Cents and sense");
    expect(sessions.find("cents-and-sense")).toMatchObject({ kind: "found", session: KEY });
  });

  it("comes from the metadata when another program put it there, and survives the loss of index and record", async () => {
    const here = await talked();
    await here.meta.update(() => ({ name: "Ticket <b>7</b>" }));
    here.sessions.named(KEY, here.meta.read()?.name ?? "");
    expect(here.name()).toEqual(["Ticket <b>7</b>", "given"]);
    here.sessions.close();
    rmSync(sessionsIndexPath(here.home));
    rmSync(recordPath(here, KEY), { force: true });
    const anew = here.open();
    await anew.sync();
    expect(anew.get(KEY)).toMatchObject({ name: "Ticket <b>7</b>", namedBy: "given" });
  });

  it("is read again when more of the session is indexed", async () => {
    const { sessions, meta, append, name } = await talked();
    await meta.update(() => ({ name: "In Caco" }));
    append("one", [ask("And the totals.")]);
    await sessions.sync();
    expect(name()).toEqual(["In Caco", "given"]);
  });

  it("is given back when it is empty: the made one returns, and no file stays that says otherwise", async () => {
    const { sessions, meta, append, name } = await talked();
    await sessions.rename(KEY, "Mine");
    expect(await sessions.rename(KEY, "")).toBe(MADE);
    expect(name()).toEqual([MADE, "us"]);
    expect(meta.read()?.name).toBe("");
    append("one", [ask("And the totals.")]);
    await sessions.sync();
    expect(name()).toEqual([MADE, "us"]);
    expect(sessions.record(KEY)).toMatchObject({ name: MADE, continuo: { namedBy: "us" } });
  });

  it("is given back to the host if that has a title", async () => {
    const { sessions, appendRaw, name } = await talked();
    appendRaw("one", { type: "summary", uuid: undefined, leafUuid: "t1", summary: "Rounding" });
    await sessions.rename(KEY, "Mine");
    await sessions.rename(KEY, "");
    expect(name()).toEqual(["Rounding", "host"]);
  });

  it("is given back to the model that wrote the record", async () => {
    const here = await talked();
    const record = here.sessions.record(KEY);
    const path = recordPath(here, KEY);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(
      path,
      JSON.stringify({
        ...record,
        name: "By a model",
        model: "fake/model",
        continuo: { host: CLAUDE, namedBy: "model" },
      }),
    );
    await here.sessions.rename(KEY, "Mine");
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ name: "Mine" });
    expect(await here.sessions.rename(KEY, "")).toBe("By a model");
    expect(here.name()).toEqual(["By a model", "model"]);
  });

  it("of version 0.1, which had it only in the record, still holds, and can be given back", async () => {
    const here = await talked();
    await here.sessions.rename(KEY, "From before");
    rmSync(here.meta.path);
    here.append("one", [ask("And the totals.")]);
    await here.sessions.sync();
    expect(here.name()).toEqual(["From before", "given"]);
    await here.sessions.rename(KEY, "");
    here.append("one", [ask("And the taxes.")]);
    await here.sessions.sync();
    expect(here.name()).toEqual([MADE, "us"]);
  });

  it.each(["../../../etc/passwd", "..", "a/b\\c d", "x".repeat(3000), 'quo"te\n'])(
    "is stored for any id that a host makes, never outside the home: %j",
    async (id) => {
      const here = place();
      const path = join(dirname(here.home.root), "odd.jsonl");
      writeFileSync(
        path,
        `${JSON.stringify({ type: "user", uuid: "u", message: { role: "user", content: "hi" } })}\n`,
      );
      const sessions = here.open();
      await sessions.sync({ only: { host: CLAUDE, id, transcript: path } });
      await sessions.rename({ host: CLAUDE, id }, "Odd");
      expect(sessions.get({ host: CLAUDE, id })?.name).toBe("Odd");
      const meta = metaFile(here.home, folderOfUser(here.env), { host: CLAUDE, id }, { lockWaitMs: 100 });
      expect(dirname(meta.path)).toBe(join(here.home.state, CLAUDE));
      expect(meta.read()?.name).toBe("Odd");
    },
  );

  it("of 10,000 characters is cut, and one of nothing but signs that a name cannot have is refused", async () => {
    const { sessions, meta } = await talked();
    const name = await sessions.rename(KEY, "n".repeat(10_000));
    expect(name).toHaveLength(80);
    expect(meta.read()?.name).toBe(name);
    await expect(sessions.rename(KEY, "@@@@")).rejects.toThrow("empty");
    expect(meta.read()?.name).toBe(name);
  });
});
