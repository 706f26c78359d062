import { describeError } from "../../../base/errors.ts";
import { countOf } from "../../../moments/review/suggestions.ts";
import { allSuggestions } from "../../../sources/suggestions.ts";
import { failureKinds, failuresSince, readHealth } from "../../../store/health.ts";
import type { Problem, Waiting } from "../../api/overview.ts";
import { activitiesOf } from "../sessions/activities.ts";
import type { Web } from "../web.ts";
import { onceInAWhile } from "./once-in-a-while.ts";

const SHOWN_PROBLEMS = 5;
const MOST_KINDS = 10;
const MAX_AGE_MS = 10_000;

/** What is pending for the user: suggestions, sessions not looked at yet, failures not seen yet. */
export function createWaiting(web: Web): () => Promise<Waiting> {
  const failures = onceInAWhile(
    web,
    MAX_AGE_MS,
    ({ type }) => type === "health",
    async () => problemsOf(web),
  );
  return async () => {
    const { proposals, problem } = await proposalsOf(web);
    return {
      proposals,
      unobserved: (await activitiesOf(web).unobserved()).length,
      problems: [...(problem === undefined ? [] : [problem]), ...(await failures())].slice(0, SHOWN_PROBLEMS),
    };
  };
}

async function proposalsOf(web: Web): Promise<{ proposals: number; problem?: Problem }> {
  try {
    return { proposals: countOf(await allSuggestions({ home: web.home.root, env: web.env })) };
  } catch (error) {
    return { proposals: 0, problem: problemOf(error, web) };
  }
}

function problemOf(error: unknown, web: Web): Problem {
  const { message, hint } = describeError(error);
  return { message, hint, at: web.now() };
}

function problemsOf(web: Web): Problem[] {
  try {
    const since = failuresSince(web.now());
    const recent = readHealth(web.home.logs).records.filter(({ at }) => at >= since);
    const kinds = failureKinds(recent).slice(0, MOST_KINDS);
    return kinds.map(({ last, count }) => ({
      message: count === 1 ? last.message : `${last.message} (${count} times)`,
      hint: last.hint,
      at: Date.parse(last.at) || 0,
    }));
  } catch (error) {
    return [problemOf(error, web)]; // an unreadable folder of logs is a problem in itself
  }
}
