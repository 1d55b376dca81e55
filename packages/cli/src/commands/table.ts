/**
 * One row a command: its words, one line of help, and the module that registers it. Help reads only
 * this table.
 */
export type CommandRow = {
  readonly name: string;
  readonly summary: string;
  /** What the group of the first word is about; on the first row of the group. */
  readonly group?: string;
  readonly hidden?: boolean;
  readonly load: () => Promise<unknown>;
};

export const commandTable: readonly CommandRow[] = [
  {
    name: "init",
    summary: "write a first configuration, in at most four questions",
    load: () => import("./init.ts"),
  },
  {
    name: "start",
    summary: "start every service that the configuration enables",
    load: () => import("./start.ts"),
  },
  { name: "stop", summary: "stop the services that run", load: () => import("./stop.ts") },
  {
    name: "status",
    summary: "what runs, what waits for you, and why",
    load: () => import("./status.ts"),
  },
  {
    name: "restart",
    summary: "stop and start again; nothing that was accepted is lost",
    load: () => import("./restart.ts"),
  },
  {
    name: "service install",
    summary: "let systemd or launchd start the services at login and after a crash",
    group: "the services under this system's supervisor",
    load: () => import("./service-install.ts"),
  },
  {
    name: "service uninstall",
    summary: "take that back; nothing that is stored goes",
    load: () => import("./service-install.ts"),
  },
  {
    name: "dashboard",
    summary: "print and open the address of the service's page",
    load: () => import("./dashboard.ts"),
  },
  {
    name: "work-items export",
    summary: "the portable records of this instance's work items, as YAML",
    group: "portable records of work items",
    load: () => import("./work-items.ts"),
  },
  {
    name: "work-items import",
    summary: "bring such records here",
    load: () => import("./work-items.ts"),
  },
  {
    name: "instances",
    summary: "this instance: its scope, and the work items that it manages",
    load: () => import("./instances.ts"),
  },
  {
    name: "instances list",
    summary: "every instance that shares the store, how it stands and what it has",
    load: () => import("./instances-list.ts"),
  },
  {
    name: "instances adopt",
    summary: "go on here with the work of an instance that is gone",
    load: () => import("./instances-adopt.ts"),
  },
  {
    name: "instances drain",
    summary: "let an instance take nothing new; --undo takes that back",
    load: () => import("./instances-drain.ts"),
  },
  {
    name: "doctor",
    summary: "check each part outside of loop: found, version, logged in, what to do",
    load: () => import("./doctor.ts"),
  },
  {
    name: "canary",
    summary: "send a delivery of our own through everything; names the link that is broken",
    load: () => import("./canary.ts"),
  },
  {
    name: "why",
    summary: "why something happened, or why nothing did",
    load: () => import("./why.ts"),
  },
  {
    name: "replay",
    summary: "what would be decided otherwise under another configuration; changes nothing",
    load: () => import("./replay.ts"),
  },
  { name: "events", summary: "the event log; --follow goes on", load: () => import("./events.ts") },
  {
    name: "logs",
    summary: "what the daemons say; --follow goes on",
    load: () => import("./logs.ts"),
  },
  {
    name: "sessions list",
    summary: "the conversations of this machine",
    group: "conversations with a harness, one per issue or pull request",
    load: () => import("./sessions-list.ts"),
  },
  {
    name: "sessions show",
    summary: "one work item: control, sessions, pull requests, turns",
    load: () => import("./sessions-show.ts"),
  },
  {
    name: "sessions start",
    summary: "begin to work on an armed work item",
    load: () => import("./sessions-steer.ts"),
  },
  {
    name: "sessions pause",
    summary: "hold what arrives, keep the conversation",
    load: () => import("./sessions-steer.ts"),
  },
  {
    name: "sessions resume",
    summary: "go on after a pause or a hold",
    load: () => import("./sessions-steer.ts"),
  },
  {
    name: "sessions stop",
    summary: "end turn and session; the checkout stays",
    load: () => import("./sessions-steer.ts"),
  },
  {
    name: "sessions cleanup",
    summary: "release everything local of a work item",
    load: () => import("./sessions-steer.ts"),
  },
  {
    name: "sessions undo-cleanup",
    summary: "bring back a released checkout with the work that was saved",
    load: () => import("./sessions-undo-cleanup.ts"),
  },
  {
    name: "sessions say",
    summary: "say something to a session, without the code host",
    load: () => import("./sessions-say.ts"),
  },
  {
    name: "sessions attach",
    summary: "sit down in front of a session's terminal; its lane waits meanwhile",
    load: () => import("./sessions-attach.ts"),
  },
  {
    name: "sessions register",
    summary: "bind a conversation that you began to a work item",
    load: () => import("./sessions-register.ts"),
  },
  {
    name: "sessions close",
    summary: "end a registration; the checkout stays",
    load: () => import("./sessions-close.ts"),
  },
  {
    name: "sessions link-pr",
    summary: "record a pull request against a work item",
    load: () => import("./sessions-link-pr.ts"),
  },
  {
    name: "add-collaborator",
    summary: "let one login speak to an item's session, until the item closes",
    load: () => import("./collaborators.ts"),
  },
  {
    name: "remove-collaborator",
    summary: "take that back",
    load: () => import("./collaborators.ts"),
  },
  {
    name: "actors forget",
    summary: "let a login that has another account now be known anew",
    group: "people, by the number of their account",
    load: () => import("./actors-forget.ts"),
  },
  {
    name: "turns list",
    summary: "what was said to sessions, and what waits",
    group: "messages to sessions",
    load: () => import("./turns-list.ts"),
  },
  {
    name: "turns retry",
    summary: "let an uncertain or failed turn go on",
    load: () => import("./turns-resolve.ts"),
  },
  {
    name: "turns drop",
    summary: "leave a turn; what waits behind it goes on",
    load: () => import("./turns-resolve.ts"),
  },
  {
    name: "effects retry",
    summary: "try at once what a decision caused and could not be done",
    group: "what decisions cause beside messages",
    load: () => import("./effects-resolve.ts"),
  },
  {
    name: "effects drop",
    summary: "leave it undone; what waits for it goes on",
    load: () => import("./effects-resolve.ts"),
  },
  {
    name: "comment",
    summary: "say something on a thread, in the service's marked voice",
    load: () => import("./comment.ts"),
  },
  {
    name: "ask",
    summary: "ask on the work item; for an agent inside of its turn",
    load: () => import("./ask.ts"),
  },
  {
    name: "learnings capture",
    summary: "note something that sessions should know from now on",
    group: "what sessions of this repository learned",
    load: () => import("./learnings-capture.ts"),
  },
  {
    name: "learnings pending",
    summary: "what was noted and waits for its third occurrence",
    load: () => import("./learnings-show.ts"),
  },
  {
    name: "learnings consolidate",
    summary: "take in what passed the gate; --dry-run shows the plan alone",
    load: () => import("./learnings-consolidate.ts"),
  },
  {
    name: "learnings undo",
    summary: "take the last consolidation back",
    load: () => import("./learnings-consolidate.ts"),
  },
  {
    name: "learnings inject",
    summary: "what a session is told at its start",
    load: () => import("./learnings-show.ts"),
  },
  {
    name: "learnings show",
    summary: "what stands, and one learning with where it comes from",
    load: () => import("./learnings-show.ts"),
  },
  {
    name: "check",
    summary: "whether the present node of a work item is complete, by what stands there now",
    load: () => import("./check.ts"),
  },
  {
    name: "graph show",
    summary: "the process graphs in force; --definition prints one to begin from",
    group: "the way of a work item through its process graph",
    load: () => import("./graph-show.ts"),
  },
  {
    name: "graph status",
    summary: "where a work item stands, what each node lacks, and who owes it",
    load: () => import("./graph-status.ts"),
  },
  {
    name: "graph advance",
    summary: "have the service look where the work stands, and go on from there",
    load: () => import("./graph-steer.ts"),
  },
  {
    name: "graph complete",
    summary: "take a node as it is; no gate is opened by that",
    load: () => import("./graph-steer.ts"),
  },
  {
    name: "graph skip",
    summary: "leave an optional node out",
    load: () => import("./graph-steer.ts"),
  },
  {
    name: "critic list",
    summary: "who judges finished work",
    group: "critics, who judge finished work",
    load: () => import("./critic-list.ts"),
  },
  {
    name: "critic run",
    summary: "let critics judge a work item now, with every pull request of it",
    load: () => import("./critic-run.ts"),
  },
  {
    name: "config validate",
    summary: "list everything that is wrong with the configuration",
    group: "the configuration",
    load: () => import("./config-validate.ts"),
  },
  {
    name: "config show",
    summary: "what is set; --effective shows every key in force",
    load: () => import("./config-show.ts"),
  },
  {
    name: "config trust",
    summary: "show what a configuration in this folder can do, and trust it",
    load: () => import("./config-trust.ts"),
  },
  {
    name: "config migrate",
    summary: "put keys of earlier versions where they stand today",
    load: () => import("./config-migrate.ts"),
  },
  {
    name: "config schema",
    summary: "JSON Schema of cli-config.yaml",
    load: () => import("./config-schema.ts"),
  },
  {
    name: "store check",
    summary: "whether the store is sound; changes nothing, services go on",
    group: "everything that loop knows, as a whole",
    load: () => import("./store-check.ts"),
  },
  {
    name: "store backup",
    summary: "write the store as it is now to a file, while services go on",
    load: () => import("./store-backup.ts"),
  },
  {
    name: "store migrate",
    summary: "copy the store to another place, such as PostgreSQL, and compare",
    load: () => import("./store-migrate.ts"),
  },
  {
    name: "manifest check",
    summary: "whether the repository has what its manifest lists, and lists what it has",
    group: ".loop/manifest.yaml: every file of loop in a repository",
    load: () => import("./manifest.ts"),
  },
  {
    name: "manifest add",
    summary: "list a file, or a folder with everything below it",
    load: () => import("./manifest.ts"),
  },
  {
    name: "manifest remove",
    summary: "list it no longer; what is there stays",
    load: () => import("./manifest.ts"),
  },
  {
    name: "daemon",
    summary: "run one daemon in the foreground",
    load: () => import("./daemon.ts"),
  },
  {
    name: "completion",
    summary: "completion script for bash, zsh or fish",
    load: () => import("./completion.ts"),
  },
  {
    name: "hook",
    summary: "called by the plugin inside of a harness",
    hidden: true,
    load: () => import("./hook.ts"),
  },
  {
    name: "terminal-turn",
    summary: "called by the dispatcher: one turn in a terminal",
    hidden: true,
    load: () => import("./terminal-turn.ts"),
  },
];
