import { createCodeHost, createHostSetup, createMarks } from "@loopwork/codehost";
import { type CodeHost, verbatimPost } from "@loopwork/core/ports";
import { secretOf } from "@loopwork/core/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPracticeHost, type PracticeHost } from "../src/index.ts";
import { listen } from "./listener.ts";

/**
 * The client of the product against the practice host: what either side changes alone turns a row
 * red.
 */
let host: PracticeHost;
let client: CodeHost;
const marks = createMarks(new Uint8Array(32).fill(1));
const ref = (number: number) => ({ host: null, owner: "maria", repo: "garden", number });

beforeAll(async () => {
  host = await createPracticeHost({
    owner: "maria",
    users: [{ login: "loop-bot", token: "t-loop" }],
  });
  client = createCodeHost({ host: "practice.invalid", apiBaseUrl: host.apiUrl, token: "t-loop" });
});
afterAll(() => host.stop());

test("the token's login", async () => {
  expect(await client.ownAccount()).toMatchObject({ login: "loop-bot", bot: false });
});

test("a comment is posted, found again by its marker among many, and known as ours", async () => {
  const issue = host.openIssue({ title: "Talk" });
  const text = marks.sign(verbatimPost("I am on it."), "effect-1");
  expect(
    await client.findComment(ref(issue.number), marks.marker("effect-1"), marks.isOurs),
  ).toBeNull();
  const posted = await client.comment(ref(issue.number), text);
  for (let n = 0; n < 130; n++) host.comment(issue.number, `noise ${n}`, "ben");
  host.comment(issue.number, verbatimPost(text), "mallory");
  expect(await client.findComment(ref(issue.number), marks.marker("effect-1"), marks.isOurs)).toBe(
    posted.id,
  );
  const payload = host
    .deliveries()
    .find((delivery) => delivery.event === "issue_comment" && delivery.body.includes("effect-1"))
    ?.payload["comment"];
  expect(marks.isOurs(String(Object(payload)["body"]))).toBe(true);
});

test("reactions on all three surfaces, repeated without harm", async () => {
  await host.commit({ branch: "issue-90", message: "x", files: { "a.txt": "a\n" } });
  const pull = await host.openPull({ title: "Pull", head: "issue-90" });
  const said = host.comment(pull.number, verbatimPost("here"));
  const line = host.commentOnLine(pull.number, { body: "there", path: "a.txt" });
  const review = host.review(pull.number, { body: "well" });
  const targets = [
    ["conversation", said],
    ["diff", line],
    ["review", review],
  ] as const;
  for (const [surface, on] of [...targets, ...targets]) {
    await client.react({ thread: ref(pull.number), surface, commentId: String(on.id) }, "eyes");
    expect(on.reactions.map((reaction) => [reaction.content, reaction.user.login])).toEqual([
      ["eyes", "loop-bot"],
    ]);
  }
});

test("a pull request and what it closes", async () => {
  const issue = host.openIssue({ title: "Squeaks" });
  const branch = `issue-${issue.number}`;
  const sha = await host.commit({ branch, message: "Oil", files: { "b.txt": "b\n" } });
  const pull = await host.openPull({
    title: "Oil",
    body: `Closes #${issue.number}`,
    head: branch,
    by: "agent",
  });
  expect(await client.pullRequest(ref(pull.number))).toEqual({
    headSha: sha,
    headBranch: branch,
    sameRepository: true,
    headOwner: expect.objectContaining({ login: "maria" }),
    author: expect.objectContaining({ login: "agent" }),
    body: `Closes #${issue.number}`,
  });
  expect(await client.closingReferences(ref(pull.number))).toEqual([ref(issue.number)]);
  expect(await client.pullRequestsOfCommit(ref(1), sha)).toEqual([pull.number]);
  await host.mergePull(pull.number);
  expect(await client.pullRequestsOfCommit(ref(1), sha)).toEqual([]);
});

test("what a pull request changes, read beside the pull request itself; none where there is none", async () => {
  await host.commit({ branch: "issue-91", message: "Pipe", files: { "pipe.txt": "long\n" } });
  const pull = await host.openPull({ title: "Pipe", head: "issue-91" });
  for (let time = 0; time < 2; time += 1) {
    expect(await client.pullRequest(ref(pull.number))).toMatchObject({ headBranch: "issue-91" });
    expect(await client.changes(ref(pull.number))).toContain(
      "+++ b/pipe.txt\n@@ -0,0 +1 @@\n+long\n",
    );
  }
  expect(await client.changes(ref(host.openIssue({ title: "no pull request" }).number))).toBeNull();
  expect(await client.changes(ref(9_999))).toBeNull();
});

test("a fork's pull request is not of the same repository, also once the fork is gone", async () => {
  const fork = await host.fork("stranger");
  const sha = await fork.commit({ branch: "issue-1", message: "Mine", files: { "c.txt": "c\n" } });
  const pull = await host.openPull({
    title: "From a fork",
    head: "issue-1",
    headRepository: fork.fullName,
    by: "stranger",
  });
  expect(await client.pullRequest(ref(pull.number))).toMatchObject({
    sameRepository: false,
    author: { login: "stranger" },
  });
  // Of a fork's commit the host knows no pull requests, although one has it as its head.
  expect(await client.pullRequestsOfCommit(ref(1), sha)).toEqual([pull.number]);
  host.removeFork("stranger");
  expect(await client.pullRequest(ref(pull.number))).toMatchObject({
    sameRepository: false,
    author: { login: "stranger" },
  });
});

test("what is not there: null, nothing, or not found", async () => {
  const issue = host.openIssue({ title: "No pull" });
  expect(await client.pullRequest(ref(issue.number))).toBeNull();
  expect(await client.pullRequest(ref(9999))).toBeNull();
  expect(await client.closingReferences(ref(9999))).toEqual([]);
  expect(await client.pullRequestsOfCommit(ref(1), "f".repeat(40))).toEqual([]);
  await expect(client.comment(ref(9999), verbatimPost("x"))).rejects.toMatchObject({
    code: "LOOP_E_HOST_NOT_FOUND",
  });
  await expect(
    client.react({ thread: ref(issue.number), surface: "conversation", commentId: "5" }, "eyes"),
  ).rejects.toMatchObject({ code: "LOOP_E_HOST_NOT_FOUND" });
  const stranger = createCodeHost({ host: null, apiBaseUrl: host.apiUrl, token: "wrong" });
  await expect(stranger.ownAccount()).rejects.toMatchObject({ code: "LOOP_E_HOST_UNAUTHORIZED" });
});

test("label and webhook are arranged once; from then on deliveries go there, signed", async () => {
  const listener = await listen("s3cret");
  const setup = createHostSetup({ host: null, apiBaseUrl: host.apiUrl, token: "t-loop" });
  const repository = { host: null, owner: "maria", repo: "garden" };
  const label = {
    name: "loop: auto-execute",
    color: "5319e7",
    description: "loop may work on this",
  };
  const webhook = { url: listener.url, secret: secretOf("s3cret"), events: ["issues"] };
  expect([
    await setup.ensureLabel(repository, label),
    await setup.ensureLabel(repository, label),
  ]).toEqual(["made", "there"]);
  expect([
    await setup.ensureWebhook(repository, webhook),
    await setup.ensureWebhook(repository, webhook),
  ]).toEqual(["made", "there"]);
  host.openIssue({ title: "Heard" });
  await host.idle();
  expect(listener.heard.map((one) => [one.event, one.signed])).toEqual([["issues", true]]);
  host.aim(null);
  await listener.stop();
});

test("who edited title and description is told with who and when; nobody did until then", async () => {
  const { number } = host.openIssue({ title: "Edited", body: "one", by: "stranger" });
  expect(await client.textEdits(ref(number), null)).toEqual([]);
  host.editIssue(number, { body: "two" }, "agent");
  host.editIssue(number, { title: "Renamed" }, "stranger");
  const edits = await client.textEdits(ref(number), null);
  const told =
    edits === "unknown" ? [] : edits.map(({ what, by }) => `${what} by ${by?.login ?? "nobody"}`);
  // The text as it was written at first stands in the list of edits.
  expect(told.toSorted()).toEqual([
    "description by agent",
    "description by agent",
    "description by stranger",
    "title by stranger",
  ]);
  expect(
    edits === "unknown" ? [] : edits.map(({ by }) => by?.id).every((id) => typeof id === "string"),
  ).toBe(true);
  expect(await client.textEdits(ref(9_999), null)).toBe("unknown");
});

test("who edited a comment is told beside that, and nothing of one that is gone", async () => {
  const { number } = host.openIssue({ title: "Said", by: "stranger" });
  const { id } = host.comment(number, "one", "agent");
  const node = Buffer.from(`IC${id}`).toString("base64");
  expect(await client.textEdits(ref(number), node)).toEqual([]);
  host.editComment(id, "two", "stranger");
  const edits = await client.textEdits(ref(number), node);
  expect(edits === "unknown" ? [] : edits.map(({ what, by }) => [what, by?.login])).toEqual([
    ["comment", "stranger"],
    ["comment", "stranger"],
    ["comment", "agent"],
  ]);
  host.deleteComment(id);
  expect(await client.textEdits(ref(number), node)).toEqual([]);
});
