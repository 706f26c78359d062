import { ContinuoError } from "../../../base/errors.ts";
import { cardsWithGit } from "../bounded.ts";
import { createShownWatches } from "../follow/watch-shown.ts";
import type { Area } from "../web.ts";
import { cardOf } from "./card.ts";

/** More than a user has open. */
const MOST_CARDS = 8;
const MOST_FOLDERS = 24;

export const cards: Area = {
  name: "cards",
  routes(app, web) {
    const watches = createShownWatches(web, { views: MOST_CARDS, folders: MOST_FOLDERS });
    app.get("/api/sessions/:host/:id/card", async (context) => {
      const { host, id } = context.req.param();
      // A host's name becomes a folder's name below the home.
      if (!/^[a-z0-9][a-z0-9-]{0,40}$/.test(host))
        throw new ContinuoError("unknown-host", "there is no such agent");
      return context.json(await cardsWithGit(() => cardOf(web, { host, id }, watches)));
    });
  },
};
