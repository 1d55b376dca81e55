/**
 * Opens the practice session's pull request and links it: what an agent would do with the host's
 * client. Reads LOOP_PRACTICE_API (base URL; else that of the practice host which origin points
 * to), LOOP_PRACTICE_TOKEN and LOOP_WORK_ITEM; the argument is the number.
 */
import { execFileSync, spawnSync } from "node:child_process";

const [number] = process.argv.slice(2);
const match = /^host:(?:[^/#]+\/)?([^/#]+)\/([^/#]+)#\d+$/.exec(process.env.LOOP_WORK_ITEM ?? "");
if (match === null) {
  process.stderr.write("LOOP_WORK_ITEM must be set\n");
  process.exit(1);
}
const api =
  process.env.LOOP_PRACTICE_API ??
  `${new URL(execFileSync("git", ["remote", "get-url", "origin"], { encoding: "utf8" }).trim()).origin}/api/v3`;
const [, owner, repo] = match;
const answer = await fetch(`${api}/repos/${owner}/${repo}/pulls`, {
  method: "POST",
  headers: {
    "content-type": "application/json",
    authorization: `Bearer ${process.env.LOOP_PRACTICE_TOKEN ?? "practice"}`,
  },
  body: JSON.stringify({
    title: `Work on issue ${number}`,
    head: `issue-${number}`,
    base: process.env.LOOP_PRACTICE_BASE ?? "main",
    body: `Closes #${number}`,
  }),
});
const pull = await answer.json();
if (!answer.ok) {
  process.stderr.write(`the host answered ${answer.status}: ${JSON.stringify(pull)}\n`);
  process.exit(1);
}
const linked = spawnSync(
  "loop",
  [
    "sessions",
    "link-pr",
    "--work-item",
    process.env.LOOP_WORK_ITEM,
    "--pull-request",
    String(pull.number),
  ],
  { stdio: "inherit" },
);
process.stdout.write(`opened pull request #${pull.number} ${pull.html_url ?? ""}\n`);
process.exit(linked.status ?? 1);
