import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { graphSteps } from "../../../../src/sources/notes/graph/graph-view.ts";
import { openMemory } from "../../../../src/sources/notes/memory.ts";
import type { ConceptAnswer, GraphAnswer } from "../../../../src/web/api/notes.ts";
import { memory } from "../../../../src/web/server/notes/routes.ts";
import { type TestWeb, temporaryWeb } from "../../../support/web.ts";
import { write } from "../../../support/world.ts";

function graphWeb(notes: Record<string, string>): TestWeb {
  const made = temporaryWeb({}, [memory]);
  write(join(made.home.root, "memory"), notes);
  return made;
}

const graph = ({ get }: TestWeb, query = "") => get<GraphAnswer>(`/api/graph${query}`);

const NOTES = {
  "one.md": "---\nproject: project\n---\n[[a]] [[b]] [[c]]\n",
  "two.md": "---\nproject: other\n---\n[[a]] [[b]]\n",
  "three.md": "---\nproject: other\n---\n[[x]] [[y]] [[z]]\n",
};

/** `a b 2` for each edge. */
function edgesOf({ names, edges }: GraphAnswer): string[] {
  return Array.from({ length: edges.length / 3 }, (_, i) => {
    const [a = 0, b = 0, weight] = edges.slice(i * 3, i * 3 + 3);
    return `${names[a]} ${names[b]} ${weight}`;
  }).sort();
}

describe("the graph", () => {
  it("has concepts with their notes and communities, and edges with their weights", async () => {
    const found = await graph(graphWeb(NOTES));
    expect(found.names).toEqual(["a", "b", "c", "x", "y", "z"]);
    expect(found.notes).toEqual([2, 2, 1, 1, 1, 1]);
    expect(found.communities).toEqual([0, 0, 0, 1, 1, 1]);
    expect(edgesOf(found)).toEqual(["a b 2", "a c 1", "b c 1", "x y 1", "x z 1", "y z 1"]);
    expect(found).toMatchObject({ totalConcepts: 6, totalEdges: 6 });
  });

  it("counts only the notes of a project when one is asked for", async () => {
    const found = await graph(graphWeb(NOTES), "?project=.");
    expect(found.names).toEqual(["a", "b", "c"]);
    expect(edgesOf(found)).toEqual(["a b 1", "a c 1", "b c 1"]);
  });

  it("keeps the concepts that most notes name and the strongest edges, and says how many there are", async () => {
    const web = graphWeb(NOTES);
    const few = await graph(web, "?limit=2");
    expect(few.names).toEqual(["a", "b"]);
    expect(few.totalConcepts).toBe(6);
    const thin = await graph(web, "?edges=2");
    expect(edgesOf(thin)).toContain("a b 2");
    expect(thin.totalEdges).toBe(6);
  });

  it("is made again after a note changed", async () => {
    const web = graphWeb(NOTES);
    await graph(web);
    write(join(web.home.root, "memory"), { "four.md": "[[a]] [[new one]]\n" });
    expect((await graph(web)).names).toContain("new-one");
  });

  it("is empty without notes", async () => {
    expect(await graph(graphWeb({}))).toMatchObject({ names: [], edges: [] });
  });

  it("gives concept names as text, whatever they contain", async () => {
    const found = await graph(graphWeb({ "a.md": '[[<img src=x onerror="alert(1)">]] [[b]]\n' }));
    expect(found.names).toEqual(['<img-src=x-onerror="alert(1)">', "b"]);
  });

  it("has at most 10,000 concepts of one note", async () => {
    const links = Array.from({ length: 10_500 }, (_, i) => `[[c${i}]]`).join(" ");
    expect((await graph(graphWeb({ "many.md": links }))).totalConcepts).toBe(10_000);
  });

  it("is made in steps, each of a few concepts, so that other requests are answered in between", async () => {
    const notes = Array.from({ length: 40 }, (_, i) => [
      `n${i}.md`,
      Array.from({ length: 60 }, (_, j) => `[[c${i}-${j}]]`).join(" "),
    ]);
    const { home, env } = graphWeb(Object.fromEntries(notes) as Record<string, string>);
    const opened = openMemory({ home, env, settings: {}, syncMs: 0 });
    onTestFinished(() => opened.close());
    await opened.sync();
    const steps = graphSteps(opened.indexes(), { filter: {}, maxConcepts: 5000, maxEdges: 20_000 });
    let count = 0;
    while (steps.next().done !== true) count++;
    expect(count).toBeGreaterThan(2400 / 200 + 2400 / 500);
  });
});

describe("a concept's context", () => {
  it("has its notes, related concepts and the note of its name", async () => {
    const web = graphWeb({ ...NOTES, "a.md": "# A\nabout [[c]]\n" });
    const answer = await web.app.request("/api/graph/context?concept=a");
    const context = (await answer.json()) as ConceptAnswer;
    expect(context.concept).toBe("a");
    expect(context.own).toMatchObject({ uri: "memory://a", title: "A" });
    expect(context.notes.map(({ uri }) => uri).sort()).toEqual(["memory://one", "memory://two"]);
    expect(context.related.map(({ name, notes }) => `${name} ${notes}`)).toEqual(["b 2", "c 1"]);
  });

  it("of an unknown concept is empty", async () => {
    const answer = await graphWeb(NOTES).app.request("/api/graph/context?concept=nothing");
    expect(await answer.json()).toMatchObject({ notes: [], related: [] });
  });
});
