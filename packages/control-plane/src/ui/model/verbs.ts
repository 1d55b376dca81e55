/**
 * What a person can ask for on a work item. `ask` is what to be sure of before something goes away
 * that does not come back by itself.
 */
export type Verb = {
  readonly verb: "start" | "pause" | "resume" | "stop" | "cleanup";
  readonly label: string;
  readonly ask: string | null;
};

const start: Verb = { verb: "start", label: "Start", ask: null };
const pause: Verb = { verb: "pause", label: "Pause", ask: null };
const resume: Verb = { verb: "resume", label: "Resume", ask: null };
const stop: Verb = {
  verb: "stop",
  label: "Stop…",
  ask: "Stop ends the running turn and the session. The checkout stays; a later start opens a new session there.",
};
const cleanup: Verb = {
  verb: "cleanup",
  label: "Clean up…",
  ask: "Clean up ends the session and removes its checkout. Work that is not pushed is saved first; `loop sessions undo-cleanup` brings it back.",
};

/** The verbs that make sense as the item stands; the service still says no where one does not. */
export function verbsFor(
  status: "idle" | "started" | "paused" | "stopped" | "closed",
  sessions: number,
): readonly Verb[] {
  const steering = {
    idle: [start],
    started: [pause, stop],
    paused: [resume, stop],
    stopped: [start],
    closed: [],
  }[status];
  return sessions > 0 ? [...steering, cleanup] : steering;
}
