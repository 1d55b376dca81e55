import type { Command } from "./command.ts";

/**
 * One row a command: its words, one line of help, and the module that exports it by default. Help
 * reads only this table.
 */
export type CommandRow = {
  readonly name: string;
  readonly summary: string;
  /** Summary of the group of the first word; on the first row of the group. */
  readonly group?: string;
  readonly hidden?: boolean;
  readonly load: () => Promise<{ readonly default: new () => Command }>;
};

export const commandTable: readonly CommandRow[] = [
  {
    name: "init",
    summary: "Create a configuration",
    load: () => import("./init.ts"),
  },
  {
    name: "start",
    summary: "Start the services",
    load: () => import("./start.ts"),
  },
  { name: "stop", summary: "Stop the services", load: () => import("./stop.ts") },
  {
    name: "restart",
    summary: "Restart the services without losing deliveries",
    load: () => import("./restart.ts"),
  },
  {
    name: "status",
    summary: "Show what is running and what is waiting for you",
    load: () => import("./status.ts"),
  },
  {
    name: "service install",
    summary: "Install the services under systemd or launchd",
    group: "Run the services under systemd or launchd",
    load: () => import("./service/install.ts"),
  },
  {
    name: "service uninstall",
    summary: "Remove the services from systemd or launchd",
    load: () => import("./service/uninstall.ts"),
  },
  {
    name: "dashboard",
    summary: "Open the dashboard in your browser",
    load: () => import("./dashboard.ts"),
  },
  {
    name: "work-items export",
    summary: "Export work items as YAML",
    group: "Export and import work items",
    load: () => import("./work-items/export.ts"),
  },
  {
    name: "work-items import",
    summary: "Import work items from an export",
    load: () => import("./work-items/import.ts"),
  },
  {
    name: "instances",
    summary: "Show this instance, its scope and its work items",
    load: () => import("./instances.ts"),
  },
  {
    name: "instances list",
    summary: "List the instances that share the store",
    load: () => import("./instances/list.ts"),
  },
  {
    name: "instances adopt",
    summary: "Take over a dead instance's work",
    load: () => import("./instances/adopt.ts"),
  },
  {
    name: "instances drain",
    summary: "Stop an instance from taking new work items",
    load: () => import("./instances/drain.ts"),
  },
  {
    name: "doctor",
    summary: "Check your setup",
    load: () => import("./doctor.ts"),
  },
  {
    name: "canary",
    summary: "Send a test delivery and report which stage fails",
    load: () => import("./canary.ts"),
  },
  {
    name: "why",
    summary: "Explain why something happened, or why nothing did",
    load: () => import("./why.ts"),
  },
  {
    name: "replay",
    summary: "Show which decisions another configuration would change",
    load: () => import("./replay.ts"),
  },
  { name: "events", summary: "Show the event log", load: () => import("./events.ts") },
  {
    name: "logs",
    summary: "Show the logs of the services",
    load: () => import("./logs.ts"),
  },
  {
    name: "sessions list",
    summary: "List the sessions on this machine",
    group: "List, start, pause, resume and stop sessions",
    load: () => import("./sessions/list.ts"),
  },
  {
    name: "sessions show",
    summary: "Show a work item with its sessions and turns",
    load: () => import("./sessions/show.ts"),
  },
  {
    name: "sessions start",
    summary: "Start work on a labelled work item",
    load: () => import("./sessions/start.ts"),
  },
  {
    name: "sessions pause",
    summary: "Pause a session and queue new messages",
    load: () => import("./sessions/pause.ts"),
  },
  {
    name: "sessions resume",
    summary: "Resume a paused or held session",
    load: () => import("./sessions/resume.ts"),
  },
  {
    name: "sessions stop",
    summary: "Stop a session and keep its checkout",
    load: () => import("./sessions/stop.ts"),
  },
  {
    name: "sessions cleanup",
    summary: "Remove a work item's sessions and checkout",
    load: () => import("./sessions/cleanup.ts"),
  },
  {
    name: "sessions undo-cleanup",
    summary: "Restore a removed checkout with its saved work",
    load: () => import("./sessions/undo-cleanup.ts"),
  },
  {
    name: "sessions say",
    summary: "Send a message to a session",
    load: () => import("./sessions/say.ts"),
  },
  {
    name: "sessions attach",
    summary: "Attach to a session's terminal (new messages queue meanwhile)",
    load: () => import("./sessions/attach.ts"),
  },
  {
    name: "sessions register",
    summary: "Bind a conversation you started to a work item",
    load: () => import("./sessions/register.ts"),
  },
  {
    name: "sessions close",
    summary: "Unregister a session and keep its checkout",
    load: () => import("./sessions/close.ts"),
  },
  {
    name: "sessions link-pr",
    summary: "Link a pull request to a work item",
    load: () => import("./sessions/link-pr.ts"),
  },
  {
    name: "add-collaborator",
    summary: "Let someone talk to a work item's session",
    load: () => import("./add-collaborator.ts"),
  },
  {
    name: "remove-collaborator",
    summary: "Revoke a collaborator's access",
    load: () => import("./remove-collaborator.ts"),
  },
  {
    name: "actors forget",
    summary: "Forget which account a login belongs to",
    group: "Manage the accounts that logins belong to",
    load: () => import("./actors/forget.ts"),
  },
  {
    name: "turns list",
    summary: "List turns",
    group: "List, retry and drop turns",
    load: () => import("./turns/list.ts"),
  },
  {
    name: "turns retry",
    summary: "Retry a failed or uncertain turn",
    load: () => import("./turns/retry.ts"),
  },
  {
    name: "turns drop",
    summary: "Drop a turn and continue with the next one",
    load: () => import("./turns/drop.ts"),
  },
  {
    name: "effects retry",
    summary: "Retry a pending side effect now",
    group: "Pending side effects: comments, reactions, labels",
    load: () => import("./effects/retry.ts"),
  },
  {
    name: "effects drop",
    summary: "Drop a pending side effect",
    load: () => import("./effects/drop.ts"),
  },
  {
    name: "comment",
    summary: "Post a comment as the service",
    load: () => import("./comment.ts"),
  },
  {
    name: "ask",
    summary: "Ask a question on the work item",
    load: () => import("./ask.ts"),
  },
  {
    name: "learnings capture",
    summary: "Record a learning candidate",
    group: "Manage what sessions have learned",
    load: () => import("./learnings/capture.ts"),
  },
  {
    name: "learnings pending",
    summary: "List pending learning candidates",
    load: () => import("./learnings/pending.ts"),
  },
  {
    name: "learnings consolidate",
    summary: "Turn accepted candidates into learnings",
    load: () => import("./learnings/consolidate.ts"),
  },
  {
    name: "learnings undo",
    summary: "Undo the last consolidation",
    load: () => import("./learnings/undo.ts"),
  },
  {
    name: "learnings inject",
    summary: "Print what a new session is told",
    load: () => import("./learnings/inject.ts"),
  },
  {
    name: "learnings show",
    summary: "List learnings, or show one with its sources",
    load: () => import("./learnings/show.ts"),
  },
  {
    name: "check",
    summary: "Check whether a work item's current node is complete",
    load: () => import("./check.ts"),
  },
  {
    name: "graph show",
    summary: "Show the process graphs",
    group: "Show and move work items in the process graph",
    load: () => import("./graph/show.ts"),
  },
  {
    name: "graph status",
    summary: "Show where a work item is in its graph",
    load: () => import("./graph/status.ts"),
  },
  {
    name: "graph advance",
    summary: "Move a work item on if its node is complete",
    load: () => import("./graph/advance.ts"),
  },
  {
    name: "graph complete",
    summary: "Mark a node complete without opening its gate",
    load: () => import("./graph/complete.ts"),
  },
  {
    name: "graph skip",
    summary: "Skip an optional node",
    load: () => import("./graph/skip.ts"),
  },
  {
    name: "critic list",
    summary: "List the configured critics",
    group: "Run critics, which review finished work",
    load: () => import("./critic/list.ts"),
  },
  {
    name: "critic run",
    summary: "Run critics on a work item now",
    load: () => import("./critic/run.ts"),
  },
  {
    name: "config validate",
    summary: "Check the configuration",
    group: "Check, show and trust the configuration",
    load: () => import("./config/validate.ts"),
  },
  {
    name: "config show",
    summary: "Show the configuration",
    load: () => import("./config/show.ts"),
  },
  {
    name: "config trust",
    summary: "Review and trust a configuration in this folder",
    load: () => import("./config/trust.ts"),
  },
  {
    name: "config schema",
    summary: "Print the JSON Schema of cli-config.yaml",
    load: () => import("./config/schema.ts"),
  },
  {
    name: "store check",
    summary: "Check the store for damage",
    group: "Check, back up and move the store",
    load: () => import("./store/check.ts"),
  },
  {
    name: "store backup",
    summary: "Back up the store to a file",
    load: () => import("./store/backup.ts"),
  },
  {
    name: "store migrate",
    summary: "Copy the store to another database",
    load: () => import("./store/migrate.ts"),
  },
  {
    name: "manifest check",
    summary: "Compare the manifest with the repository",
    group: "Manage .loop/manifest.yaml, the list of loop's files",
    load: () => import("./manifest/check.ts"),
  },
  {
    name: "manifest add",
    summary: "Add a file or folder to the manifest",
    load: () => import("./manifest/add.ts"),
  },
  {
    name: "manifest remove",
    summary: "Remove a file or folder from the manifest",
    load: () => import("./manifest/remove.ts"),
  },
  {
    name: "daemon",
    summary: "Run one daemon in the foreground",
    load: () => import("./daemon.ts"),
  },
  {
    name: "completion",
    summary: "Print a shell completion script",
    load: () => import("./completion.ts"),
  },
  {
    name: "hook",
    summary: "Handle a hook of the harness",
    hidden: true,
    load: () => import("./hook.ts"),
  },
  {
    name: "terminal-turn",
    summary: "Run one turn in a terminal",
    hidden: true,
    load: () => import("./terminal-turn.ts"),
  },
];
