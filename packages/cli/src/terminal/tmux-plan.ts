import type { TerminalPlan } from "@loopwork/core/ports";

/** Arguments of `tmux` behind the socket; pure, and never with anything secret in them. */
export type TmuxPlan = readonly string[];

/**
 * Option on a session that only we set; its value names the state root that made it. Without it,
 * nothing is typed or ended.
 */
export const ownerOption = "@loop-owner";

/**
 * Columns and rows of a terminal nobody looks at: wide enough for the harness to break no line of
 * ours.
 */
export const size: { readonly columns: number; readonly rows: number } = { columns: 160, rows: 50 };

/**
 * What our server is started with, instead of the person's own configuration. A program that ended
 * leaves its terminal, so that its last words can be read.
 */
export const configuration: string = [
  "set -g remain-on-exit on",
  "set -g history-limit 20000",
  "set -g set-titles off",
  "set -g allow-rename off",
  "set -g automatic-rename off",
  "set -g window-size latest",
  "set -s escape-time 0",
  "set -g focus-events on",
  "set -g status-left ''",
  "set -g status-right 'loop · Ctrl-b d leaves'",
  "",
].join("\n");

/** Fields of a pane, in the order in which `paneOf` reads them. */
const paneFields = ["pane_dead", "pane_dead_status", "pane_pid", ownerOption];

/**
 * The first window's first pane of exactly that session; a bare name would also find names that
 * begin so.
 */
const pane = (name: string): string => `=${name}:`;

/** What tmux would expand in a folder's name, so that a person's new windows begin there, too. */
const literal = (text: string): string => text.replaceAll("#", "##");

export const plans = {
  /**
   * One server command, so that no moment exists in which the session is there without our mark.
   */
  create: ({ name, title, cwd }: TerminalPlan, script: string, owner: string): TmuxPlan => [
    "new-session",
    "-d",
    "-s",
    name,
    "-n",
    title,
    "-x",
    String(size.columns),
    "-y",
    String(size.rows),
    "-c",
    literal(cwd),
    "--",
    "/bin/sh",
    script,
    ";",
    "set-option",
    "-t",
    pane(name),
    ownerOption,
    owner,
  ],
  respawn: ({ name, cwd }: TerminalPlan, script: string): TmuxPlan => [
    "respawn-pane",
    "-t",
    pane(name),
    "-c",
    literal(cwd),
    "--",
    "/bin/sh",
    script,
  ],
  /** The pane, and behind it a line for each person who is attached: "0" for those who may type. */
  look: (name: string): TmuxPlan => [
    "list-panes",
    "-t",
    pane(name),
    "-F",
    paneFields.map((field) => `#{${field}}`).join("\t"),
    ";",
    "list-clients",
    "-t",
    `=${name}`,
    "-F",
    "#{client_readonly}",
  ],
  screen: (name: string): TmuxPlan => ["capture-pane", "-e", "-p", "-t", pane(name)],
  /** From standard input: a text on the command line would be seen in every list of processes. */
  load: (buffer: string): TmuxPlan => ["load-buffer", "-b", buffer, "-"],
  /** `-p` brackets the paste, `-r` keeps line ends, `-d` forgets the buffer. */
  paste: (name: string, buffer: string): TmuxPlan => [
    "paste-buffer",
    "-p",
    "-r",
    "-d",
    "-b",
    buffer,
    "-t",
    pane(name),
  ],
  press: (name: string, key: string): TmuxPlan => ["send-keys", "-t", pane(name), key],
  kill: (name: string): TmuxPlan => ["kill-session", "-t", `=${name}`],
  attach: (name: string, readOnly: boolean): TmuxPlan => [
    "attach-session",
    ...(readOnly ? ["-r"] : []),
    "-t",
    `=${name}`,
  ],
} as const;

/** Reads a line of `look`; null when it is none. */
export function paneOf(line: string): {
  readonly alive: boolean;
  readonly exitCode: number | null;
  readonly pid: number;
  readonly owner: string;
} | null {
  const [dead, status, pid, owner] = line.split("\t");
  if (dead === undefined || status === undefined || pid === undefined || owner === undefined)
    return null;
  return {
    alive: dead !== "1",
    exitCode: dead === "1" && status !== "" ? Number(status) : null,
    pid: Number(pid),
    owner,
  };
}
