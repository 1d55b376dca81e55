import http from "node:http";
import type { RuntimeParts } from "@loopwork/runtime";
import { faults } from "./faults.ts";
import { hostError, type Point } from "./point.ts";
import { storePoints } from "./store-points.ts";
import { watchRename } from "./rename.ts";

type Decorate = Point["decorate"];

/** What a process can meet where no disk is written. */
const signals = ["kill", "stop"] as const;

/** Every named moment. Names say the step, and whether it is struck before or after it. */
export const points: Readonly<Record<string, Point>> = {
  ...storePoints,
  "accept.after-answer": { passes: 8, faults: signals, decorate: afterAnswer },
  "turn.before-spawn": { passes: 3, faults, decorate: spawning("before") },
  "turn.after-spawn": { passes: 3, faults: signals, decorate: spawning("after") },
  "turn.before-prompt": { passes: 3, faults, decorate: prompting("before") },
  "turn.after-prompt": { passes: 3, faults, decorate: prompting("after") },
  "outbox.before-post": { passes: 1, faults, decorate: posting("before") },
  "outbox.after-post": { passes: 1, faults, decorate: posting("after") },
  "outbox.before-react": { passes: 4, faults, decorate: reacting("before") },
  "outbox.after-react": { passes: 4, faults, decorate: reacting("after") },
  "workspace.before-prepare": { passes: 2, faults, decorate: preparing("before") },
  "workspace.after-prepare": { passes: 2, faults, decorate: preparing("after") },
  "workspace.before-release": { passes: 1, faults, decorate: releasing("before") },
  "workspace.after-release": { passes: 1, faults, decorate: releasing("after") },
  "trust.before-rename": {
    passes: 1,
    faults,
    decorate: (parts, strike) => (watchRename(".claude.json", "before", strike), parts),
  },
  "trust.after-rename": {
    passes: 1,
    faults,
    decorate: (parts, strike) => (watchRename(".claude.json", "after", strike), parts),
  },
};

/** The host has the answer, nobody has read what was stored yet. */
function afterAnswer(parts: RuntimeParts, { trigger }: Parameters<Decorate>[1]): RuntimeParts {
  const { emit } = http.ServerResponse.prototype;
  http.ServerResponse.prototype.emit = function (
    this: http.ServerResponse,
    ...args: Parameters<typeof emit>
  ) {
    const strikes = args[0] === "finish" && this.statusCode === 202 && trigger.pass();
    if (strikes) trigger.strike();
    return emit.apply(this, args);
  };
  return parts;
}

/** Turns alone: the harness is asked other things, too. */
function spawning(when: "before" | "after"): Decorate {
  return (parts, strike) => ({
    ...parts,
    run: {
      ...parts.run,
      spawn: (plan) =>
        isTurn(plan.argv) ? strike.call(when, () => parts.run.spawn(plan)) : parts.run.spawn(plan),
    },
  });
}

function prompting(when: "before" | "after"): Decorate {
  return (parts, strike) => ({
    ...parts,
    run: {
      ...parts.run,
      async spawn(plan) {
        const child = await parts.run.spawn(plan);
        return isTurn(plan.argv)
          ? { ...child, write: (text) => strike.call(when, () => child.write(text)) }
          : child;
      },
    },
  });
}

function isTurn(argv: readonly string[]): boolean {
  return argv.includes("--print") || argv.includes("-p");
}

function posting(when: "before" | "after"): Decorate {
  return (parts, strike) => ({
    ...parts,
    host: {
      ...parts.host,
      comment: (...args) => strike.call(when, () => parts.host.comment(...args), hostError),
    },
  });
}

function reacting(when: "before" | "after"): Decorate {
  return (parts, strike) => ({
    ...parts,
    host: {
      ...parts.host,
      react: (...args) => strike.call(when, () => parts.host.react(...args), hostError),
    },
  });
}

function preparing(when: "before" | "after"): Decorate {
  return (parts, strike) => ({
    ...parts,
    workspace: {
      ...parts.workspace,
      prepare: (request) => strike.call(when, () => parts.workspace.prepare(request)),
    },
  });
}

function releasing(when: "before" | "after"): Decorate {
  return (parts, strike) => ({
    ...parts,
    workspace: {
      ...parts.workspace,
      release: (...args) => strike.call(when, () => parts.workspace.release(...args)),
    },
  });
}
