/**
 * A good input for each operation; the tests of the routes and of the tools fail for an operation
 * that has none.
 */
export const samples: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "show-health": {},
  "show-instance": {},
  "list-waiting": { limit: 1 },
  "list-unowned-starts": { limit: 1 },
  "list-work-items": { limit: 5, status: "started", held: true },
  "show-work-item": { ref: "host:octo/shop#7" },
  "list-sessions": { ref: "host:octo/shop#7", limit: 1 },
  "show-timeline": { ref: "host:octo/shop#7", limit: 1 },
  "list-learnings": { ref: "host:octo/shop#7", category: "testing", all: true, limit: 1 },
  "show-transcript": { ref: "host:octo/shop#7", endpoint: "host:octo/shop#7", limit: 1 },
  "control-work-item": { ref: "host:octo/shop#7", verb: "start", instance: "default" },
  say: { ref: "host:octo/shop#7", text: "Use port 80." },
  "register-session": {
    ref: "host:octo/shop#7",
    harness: "A",
    harnessSessionId: "5e551011-0000-4000-8000-000000000001",
    workdir: "/checkouts/7",
  },
  "link-pull-request": { ref: "host:octo/shop#7", pullRequest: "12" },
  "close-session": { ref: "host:octo/shop#7" },
  "add-collaborator": { ref: "host:octo/shop#7", login: "carol" },
  "remove-collaborator": { ref: "host:octo/shop#7", login: "@carol" },
  "list-deliveries": { limit: 2, workItem: "host:octo/shop#7" },
  "show-delivery": { id: "delivery-1" },
  "why-delivery": { id: "delivery-1" },
  "list-turns": { limit: 1, state: "done", workItem: "host:octo/shop#7" },
  "retry-turn": { id: 4 },
  "drop-turn": { id: 4 },
  replay: { since: 0, config: "routing: { enabled: false }" },
  "list-events": {
    limit: 1,
    kind: "turn.done",
    workItem: "host:octo/shop#7",
    delivery: "delivery-1",
    since: 0,
  },
  "show-activity": { hours: 2 },
  restart: {},
};
