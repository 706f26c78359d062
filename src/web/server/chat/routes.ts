import { join } from "node:path";
import type { ChatOverview } from "../../api/chat.ts";
import { knownProjects } from "../files/projects.ts";
import { byFolder, createShownWatches } from "../follow/watch-shown.ts";
import { readBody, readQuery } from "../requests.ts";
import type { Area } from "../web.ts";
import { createChats } from "./chats.ts";
import { complete, handOff } from "./complete.ts";
import { hideSecrets } from "./hide.ts";
import { createProvider } from "./provider.ts";
import {
  answerRequest,
  completeQuery,
  decisionRequest,
  handoffQuery,
  openRequest,
  providerRequest,
  renameRequest,
  sendRequest,
} from "./requests.ts";
import { testProvider } from "./test-provider.ts";

/** Conversations in the page. Everything else in the page works without them. */
export const chat: Area = {
  name: "chat",
  routes(app, web) {
    const provider = createProvider(web);
    const chats = createChats(web, provider);
    const hidden = <T>(value: T): T => hideSecrets(value, provider.secrets());
    const watches = createShownWatches(web, { views: 1, folders: 1 });

    async function overview(): Promise<ChatOverview> {
      const sdk = (await chats.host()).package();
      // npm writes this file last.
      const installed = join(sdk.folder, "node_modules", ".package-lock.json");
      if (!sdk.isInstalled) watches.follow("sdk", byFolder([installed]), { type: "connect" });
      const library = await web.sessions();
      const lines = chats
        .list()
        .map((one) => one.state())
        .map(({ id, host, name, project, status, at }) => ({
          ...{ id, host, project, status, at },
          name: library.get({ host, id })?.name ?? name,
        }))
        .sort((a, b) => b.at - a.at);
      return { sdk, provider: provider.state(), chats: lines, projects: await knownProjects(web) };
    }

    app.get("/api/chats", async (context) => context.json(hidden(await overview())));

    app.put("/api/chats/provider", async (context) => {
      await provider.change(await readBody(context, providerRequest));
      return context.json(hidden(provider.state()));
    });
    app.post("/api/chats/provider/test", async (context) => {
      const used = provider.use();
      if (used.type !== "copilot") return context.json(hidden(await testProvider(used)));
      const models = await (await chats.host()).models();
      return context.json({ ok: true, message: `Logged in. ${models.length} models.` });
    });
    app.get("/api/chats/models", async (context) =>
      context.json({ models: await (await chats.host()).models() }),
    );

    app.get("/api/chats/complete", async (context) => {
      const { before, project = web.cwd, id = "" } = readQuery(context, completeQuery);
      return context.json(hidden(await complete(web, { before, cwd: project, id })));
    });
    app.get("/api/chats/handoff", async (context) =>
      context.json(hidden(await handOff(web, readQuery(context, handoffQuery)))),
    );

    app.post("/api/chats", async (context) => {
      const request = await readBody(context, openRequest);
      const opened =
        "resume" in request
          ? await chats.resume(request.resume, request.model)
          : await chats.begin(request.project, request.model);
      return context.json(hidden(opened.state()));
    });
    // Not an error: every page of a Copilot session asks this.
    app.get("/api/chats/:id", (context) => {
      const open = chats.find(context.req.param("id"));
      return context.json(open === undefined ? {} : { chat: hidden(open.state()) });
    });
    app.post("/api/chats/:id/messages", async (context) => {
      const { text, key } = await readBody(context, sendRequest);
      await chats.get(context.req.param("id")).send(text, key);
      return context.json({});
    });
    app.post("/api/chats/:id/stop", async (context) =>
      context.json({ unsent: await chats.get(context.req.param("id")).stop() }),
    );
    app.post("/api/chats/:id/requests/:request", async (context) => {
      const decision = await readBody(context, decisionRequest);
      chats.get(context.req.param("id")).decide(context.req.param("request"), decision);
      return context.json({});
    });
    app.post("/api/chats/:id/questions/:question", async (context) => {
      const { text } = await readBody(context, answerRequest);
      chats.get(context.req.param("id")).answer(context.req.param("question"), text);
      return context.json({});
    });
    app.patch("/api/chats/:id", async (context) => {
      const { name } = await readBody(context, renameRequest);
      await chats.rename(chats.get(context.req.param("id")).id, name.trim());
      return context.json({});
    });
  },
};
