import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPracticeHost, freePort, type PracticeHost } from "@loopwork-tooling/practice-host";
import { createLoop, type Loop } from "./loop.ts";
import { narrate } from "./narrate.ts";
import { writeScene, type Scene } from "./scene.ts";
import type { Teller } from "./teller.ts";

export type Demo = {
  tell(): Promise<"told">;
  invitation(): readonly string[];
  lastWords(): Promise<readonly string[]>;
  stop(): Promise<void>;
};

/**
 * The stage: scratch folder, practice host, configuration; the service itself comes up in the
 * story.
 */
export async function createDemo(
  teller: Teller,
  harness: "practice" | "real",
  runner: "headless" | "tmux",
): Promise<Demo> {
  const scratch = mkdtempSync(join(tmpdir(), "loop-demo-"));
  const [port, servicePort] = [await freePort(), await freePort()];
  const users = [
    { login: "ada", token: "practice-token-ada" },
    { login: "loop-agent", token: "practice-token-agent" },
  ];
  const host = await createPracticeHost({
    users,
    secret: "practice-secret",
    files: { "README.md": "# Garden\n\nA small repository to practise on.\n" },
    owner: "practice",
    repo: "garden",
  });
  host.aim({ url: `http://127.0.0.1:${port}/host-webhook`, secret: "practice-secret" });
  const scene = writeScene({ scratch, port, servicePort, host, harness, runner });
  const loop = createLoop(scene);
  return {
    tell: () => story(teller, host, loop, scene),
    invitation: () => invitation(scene),
    lastWords: async () => [
      ...(await loop.lines(["events", "--limit", "12"])),
      ...(await loop.logTail()),
    ],
    async stop() {
      await loop.stop();
      if (runner === "tmux")
        spawnSync("tmux", ["-S", join(scene.stateRoot, "terminals", "tmux"), "kill-server"], {
          stdio: "ignore",
        });
      await host.stop();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

/**
 * Issue labelled → `loop start` → checkout → work and push → pull request linked → review → issue
 * closed → released.
 */
async function story(
  teller: Teller,
  host: PracticeHost,
  loop: Loop,
  scene: Scene,
): Promise<"told"> {
  teller.chapter("loop start");
  teller.fact("state", scene.stateRoot);
  teller.fact("code host", `${host.url} (practice, on this machine)`);
  await loop.start();
  const events = narrate(loop.follow(), teller);

  teller.chapter('ada opens an issue and labels it "loop: auto-execute"');
  const issue = host.openIssue({
    title: "Write down how to water the garden",
    body: "A short page is enough.",
    labels: ["loop: auto-execute"],
    by: "ada",
  });
  await events.until(
    "delivery.decided",
    (event) =>
      event.reason === "armed" || event.reason === "not-started" || event.reason === "noted",
  );

  teller.chapter('ada comments "loop start"');
  host.comment(issue.number, "loop start", "ada");
  await events.until("checkout.prepared");
  await events.until("session.opened");
  await events.until("turn.done", () => true, scene.turnTimeoutMs);
  const link = await events.seen("pull-request.linked");
  const pull = Number(link?.fields["number"] ?? link?.fields["pullRequest"] ?? 0);

  teller.chapter(`ada reviews pull request #${pull}: "Please say how often."`);
  host.review(pull, { state: "changes_requested", body: "Please say how often.", by: "ada" });
  await events.until("turn.done", () => true, scene.turnTimeoutMs);

  teller.chapter(`ada closes issue #${issue.number}`);
  host.closeIssue(issue.number, "ada");
  await events.until("session.closed");
  await events.until("checkout.released");

  teller.chapter("What the thread looks like now");
  // Marked lines are hidden on a real host's pages, too.
  for (const line of host.thread(issue.number).trimEnd().split("\n"))
    if (!line.includes("<!-- loop:")) teller.line(line);
  events.stop();
  return "told";
}

function invitation(scene: Scene): readonly string[] {
  return [
    "The service keeps running until Ctrl-C. In another terminal, try:",
    `  ${scene.loopCommand} status`,
    `  ${scene.loopCommand} why ${scene.firstRef}`,
    `  ${scene.loopCommand} events --follow`,
    `  ${scene.loopCommand} --help`,
    `  ${scene.hostUrl}  shows the practice threads`,
  ];
}
