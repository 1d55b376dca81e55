import { closed, linked, resolved, sent } from "../api/shapes.ts";
import type { Verb } from "../model/verbs.ts";
import { shortRef } from "../model/words.ts";
import type { Action, Outcome } from "./action-button.tsx";

export function itemPath(ref: string): string {
  return `/work-items/${encodeURIComponent(ref)}`;
}

export function steer(ref: string, { verb, label, ask: sure }: Verb, main = false): Action {
  return {
    label,
    sure,
    main,
    run: async (ask) =>
      outcomeOfSent(
        await ask(`${itemPath(ref)}/control`, sent, { method: "POST", body: { verb } }),
      ),
  };
}

export function decideTurn(turn: number, how: "retry" | "drop"): Action {
  const label = how === "retry" ? "Try again" : "Leave it…";
  const sure =
    how === "retry"
      ? null
      : "The turn is left as it is. What it was about is not told to the session; what waits behind it goes on.";
  return {
    label,
    sure,
    main: how === "retry",
    async run(ask): Promise<Outcome> {
      const { resolved: done } = await ask(`/turns/${turn}/${how}`, resolved, { method: "POST" });
      return done
        ? { well: true, sentences: [how === "retry" ? "It goes on." : "It is left."] }
        : { well: false, sentences: ["There was nothing to decide any more."] };
    },
  };
}

/**
 * Ends the registration of a session; `endpoint` is the work item, or the pull request that has one
 * of its own.
 */
export function closeSession(endpoint: string): Action {
  return {
    label: "Close session…",
    sure: "What comes for it opens a new session. The conversation is not told and goes on where somebody is attached to it; the checkout stays.",
    async run(ask): Promise<Outcome> {
      const { closed: done } = await ask(`${itemPath(endpoint)}/close`, closed, { method: "POST" });
      return done
        ? { well: true, sentences: ["Its session is closed."] }
        : { well: false, sentences: ["No session was open any more."] };
    },
  };
}

export function linkPullRequest(ref: string, pullRequest: string): Action["run"] {
  return async (ask) => {
    const answer = await ask(`${itemPath(ref)}/link-pr`, linked, {
      method: "POST",
      body: { pullRequest },
    });
    return {
      well: true,
      sentences: [
        `${shortRef(answer.pullRequest)} ${answer.recorded ? "is recorded." : "was on record already."}`,
      ],
    };
  };
}

export function grant(ref: string, login: string): Action["run"] {
  return async (ask) =>
    outcomeOfSent(await ask(collaboratorPath(ref, login), sent, { method: "PUT" }));
}

export function revoke(ref: string, login: string): Action {
  return {
    label: "Revoke…",
    sure: `What @${login} writes here reaches the session no more.`,
    run: async (ask) =>
      outcomeOfSent(await ask(collaboratorPath(ref, login), sent, { method: "DELETE" })),
  };
}

function collaboratorPath(ref: string, login: string): string {
  return `${itemPath(ref)}/collaborators/${encodeURIComponent(login)}`;
}

/**
 * What became of a control request. Stored is not lost: it waits for a process that carries it out.
 */
export function outcomeOfSent({
  state,
  sentence,
  remedy,
  dispatching,
}: ReturnType<typeof sent>): Outcome {
  const waits = dispatching ? [] : ["No process carries it out now; the next one does."];
  if (state === "stored")
    return { well: true, sentences: ["It is stored and waits to be decided.", ...waits] };
  return {
    well: state === "done",
    sentences: [sentence ?? (state === "done" ? "Done." : "Refused."), remedy ?? "", ...waits],
  };
}
