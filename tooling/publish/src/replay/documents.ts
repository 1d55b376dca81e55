import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { PracticeHost } from "@loopwork-tooling/practice-host";
import type { Stage } from "./stage.ts";

/** What a document's reader has, and what they do between its blocks where the text says so. */
export type Script = {
  readonly file: string;
  readonly repository: string;
  readonly user: string;
  /** Folder of the reader's clone, in the home. */
  readonly folder: string;
  /** What stands for something of the reader's own, and what they type instead. */
  readonly typed: (script: string, stage: Stage) => string;
  /** By the heading under which the next block stands; done once, before its first block. */
  readonly acts: Readonly<Record<string, (stage: Stage) => Promise<void>>>;
  /** Typed before the first block: what a guide takes for granted. */
  readonly before: string;
  /** Typed at the end, so that nothing is left running. */
  readonly last: string;
};

/** The poller asks every minute; on a busy machine a turn takes a while. */
const patienceMs = 240_000;

export const scripts: readonly Script[] = [
  {
    file: "README.md",
    repository: "owner/name",
    user: "your-login",
    folder: "your-checkout",
    typed: withToken,
    acts: { "Check your setup and start": tokenIntoFile },
    before: "",
    last: "loop stop",
  },
  {
    file: "docs/tutorial.md",
    repository: "ada/garden",
    user: "ada",
    folder: "garden",
    typed: withToken,
    acts: {
      "3. Check your setup": tokenIntoFile,
      "5. Give it an issue": async ({ host }) => {
        const { number } = host.openIssue({
          title: "The watering plan forgets Sundays",
          body: "`plan.js` lists six days. Add the seventh, and a test.",
        });
        host.label(number, "loop: auto-execute");
        host.comment(number, "loop start");
        await until(() => pullOf(host) !== null, "a pull request of the agent");
      },
      "7. Watch it work": async ({ host }) => {
        const pull = pullOf(host) ?? 0;
        host.review(pull, {
          state: "changes_requested",
          body: "Please name the days in the order of the week.",
        });
        await until(
          () =>
            host.thread(1).includes("I changed it as asked") ||
            host.thread(pull).includes("I changed it as asked"),
          "the agent's answer to the review",
        );
      },
    },
    before: "",
    last: "loop stop",
  },
  guide("attach"),
  guide("enterprise-host"),
  guide("poll-from-cron", {
    "Switch the service off": async ({ home }) =>
      edit(
        home,
        "cli-config.yaml",
        poller,
        "polling:\n  enabled: false\nservice:\n  enabled: false\n",
      ),
  }),
  guide("recover"),
  guide("rotate-a-secret", { "The webhook secret": async ({ home }) => rotate(home) }),
  guide("sandbox"),
  guide("two-machines"),
  guide("uninstall"),
  guide("webhooks", {
    "Switch the receiver on": async ({ home }) =>
      edit(home, "cli-config.yaml", poller, "webhooks:\n  hostWebhook:\n    enabled: true\n"),
  }),
];

/** A guide for somebody whose service runs already, as after the tutorial. */
function guide(name: string, acts: Script["acts"] = {}): Script {
  const token = "LOOP_HOST_TOKEN=$LOOP_PRACTICE_TOKEN";
  const before = [
    "npm install -g @loopwork/cli",
    "cd garden",
    `${token} loop init --repository ada/garden --user ada`,
    `sed -i -E "s/^(# )?LOOP_HOST_TOKEN=.*/${token}/" ~/.loop/loop.env`,
    `grep -q "^${token}" ~/.loop/loop.env`,
    "loop start",
  ];
  return {
    file: `docs/how-to/${name}.md`,
    repository: "ada/garden",
    user: "ada",
    folder: "garden",
    typed: (script) => script.replace("LOOP_HOST_TOKEN=...", token),
    acts,
    before: before.join("\n"),
    last: "loop stop",
  };
}

function withToken(script: string, { token }: Stage): string {
  return script.replace("LOOP_HOST_TOKEN=...", `LOOP_HOST_TOKEN=${token}`);
}

/** A reader is asked to put the token into the file; from then on no shell has it. */
async function tokenIntoFile({ home, token }: Stage): Promise<void> {
  edit(home, "loop.env", tokenLine, `LOOP_HOST_TOKEN=${token}`);
}

/** Where a reader finds room for the token; `loop init` wrote the line as a comment once. */
const tokenLine = /^(?:# )?LOOP_HOST_TOKEN=.*$/m;

/** What `loop init` writes for somebody who polls. */
const poller = /^polling:\n {2}enabled: true\n/m;

/**
 * Changes a file under `~/.loop` as the page tells; what the page takes for granted must stand
 * there.
 */
function edit(home: string, name: string, what: RegExp, by: string): void {
  const file = join(home, ".loop", name);
  const before = readFileSync(file, "utf8");
  if (!what.test(before)) throw new Error(`${name} has nothing that fits ${String(what)}`);
  writeFileSync(
    file,
    before.replace(what, () => by),
  );
}

/** Both secrets, and the receiver that takes either of them. */
function rotate(home: string): void {
  edit(
    home,
    "cli-config.yaml",
    poller,
    "webhooks:\n  hostWebhook:\n    enabled: true\n    previousSecretEnv: LOOP_HOST_WEBHOOK_SECRET_BEFORE\n",
  );
  edit(
    home,
    "loop.env",
    /^LOOP_HOST_WEBHOOK_SECRET=/m,
    `LOOP_HOST_WEBHOOK_SECRET=${"0123456789abcdef".repeat(4)}\nLOOP_HOST_WEBHOOK_SECRET_BEFORE=`,
  );
}

function pullOf(host: PracticeHost): number | null {
  return host.issues().find(({ pull }) => pull !== null && pull !== undefined)?.number ?? null;
}

async function until(holds: () => boolean, what: string): Promise<void> {
  const end = Date.now() + patienceMs;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`${what} did not come within ${patienceMs / 1000} s`);
    await wait(500);
  }
}
