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
  { file: "README.md", repository: "owner/name", user: "your-login", folder: "your-checkout", typed: (script) => script, acts: {}, before: "", last: "" },
  {
    file: "docs/tutorial.md",
    repository: "ada/garden",
    user: "ada",
    folder: "garden",
    typed: (script, { token }) => script.replace("LOOP_HOST_TOKEN=...", `LOOP_HOST_TOKEN=${token}`),
    acts: {
      // Step 2 asks to put the token into the file.
      "3. Look whether everything is there": async ({ home, token }) => {
        const file = join(home, ".loop", "loop.env");
        writeFileSync(file, readFileSync(file, "utf8").replace(/^LOOP_HOST_TOKEN=.*$/m, `LOOP_HOST_TOKEN=${token}`));
      },
      "5. Give it an issue": async ({ host }) => {
        const { number } = host.openIssue({ title: "The watering plan forgets Sundays", body: "`plan.js` lists six days. Add the seventh, and a test." });
        host.label(number, "loop: auto-execute");
        host.comment(number, "loop start");
        await until(() => pullOf(host) !== null, "a pull request of the agent");
      },
      "7. Watch": async ({ host }) => {
        const pull = pullOf(host) ?? 0;
        host.review(pull, { state: "changes_requested", body: "Please name the days in the order of the week." });
        await until(() => host.thread(1).includes("I changed it as asked") || host.thread(pull).includes("I changed it as asked"), "the agent's answer to the review");
      },
    },
    before: "",
    last: "loop stop",
  },
  guide("enterprise-host", ""),
  guide("poll-from-cron", "loop stop"),
  guide("recover", ""),
  guide("rotate-a-secret", ""),
  guide("two-machines", ""),
  guide("webhooks", ""),
];

/** A guide for somebody whose service runs already, as after the tutorial; `and` is what else its reader did. */
function guide(name: string, and: string): Script {
  const begin = "npm install -g @loopwork/cli\ncd garden\nexport LOOP_HOST_TOKEN=$LOOP_PRACTICE_TOKEN\nloop init --repository ada/garden --user ada\nsed -i \"s/^LOOP_HOST_TOKEN=.*/LOOP_HOST_TOKEN=$LOOP_PRACTICE_TOKEN/\" ~/.loop/loop.env\nloop start";
  return { file: `docs/how-to/${name}.md`, repository: "ada/garden", user: "ada", folder: "garden", typed: (script) => script, acts: {}, before: `${begin}\n${and}`, last: "loop stop" };
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
