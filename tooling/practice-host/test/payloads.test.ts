import { createRequire } from "node:module";
import { Ajv, type ValidateFunction } from "ajv";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPracticeHost, type Delivery, type PracticeHost } from "../src/index.ts";

const schema: { readonly definitions: Readonly<Record<string, object>> } = createRequire(
  import.meta.url,
)("@octokit/webhooks-schemas/schema.json");
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
const ajv = new Ajv({
  strict: false,
  allErrors: true,
  formats: {
    uri: (text: string) => URL.canParse(text),
    "date-time": time,
    email: /@/,
    "uri-template": true,
  },
});
ajv.addSchema(schema, "webhooks");

function validatorOf(delivery: Delivery): ValidateFunction {
  const name =
    delivery.action === "" ? `${delivery.event}$event` : `${delivery.event}$${delivery.action}`;
  const found =
    schema.definitions[name] === undefined
      ? undefined
      : ajv.getSchema(`webhooks#/definitions/${name}`);
  if (found === undefined) throw new Error(`no schema for ${name}`);
  return found;
}

let host: PracticeHost;

beforeAll(async () => {
  host = await createPracticeHost({
    owner: "Maria",
    repo: "garden",
    files: { "README.md": "# Garden\n", "src/gate.txt": "closed\n" },
  });
  await everythingThatIsAnnounced(host);
});
afterAll(() => host.stop());

/**
 * Makes the host announce every kind of event that it knows, the gaps of the examples among them.
 */
async function everythingThatIsAnnounced(on: PracticeHost): Promise<void> {
  const issue = on.openIssue({ title: "The gate squeaks", body: null, labels: ["bug"] });
  on.label(issue.number, "loop: auto-execute");
  on.unlabel(issue.number, "bug");
  const said = on.comment(issue.number, "loop start");
  on.editComment(said.id, "loop start, please");
  on.deleteComment(said.id);
  on.comment(issue.number, "from a machine", "helper[bot]");
  on.editIssue(issue.number, { title: "The gate squeaks loudly", body: "Listen." });
  await on.commit({ branch: "issue-1", message: "Oil", files: { "src/gate.txt": "oiled\n" } });
  const pull = await on.openPull({
    title: "Oil the gate",
    body: "Closes #1",
    head: "issue-1",
    labels: ["bug"],
  });
  await on.commit({
    branch: "issue-1",
    message: "More oil",
    files: { "src/gate.txt": "oiled twice\n" },
  });
  on.comment(pull.number, "a comment on a pull request", "ben");
  on.review(pull.number, { state: "changes_requested", body: "Too much oil", by: "ben" });
  on.review(pull.number, { state: "approved", by: "ben" });
  const line = on.commentOnLine(pull.number, {
    body: "here?",
    path: "src/gate.txt",
    line: 1,
    by: "ben",
  });
  on.commentOnLine(pull.number, {
    body: "there.",
    path: "src/gate.txt",
    line: 1,
    replyTo: line.id,
  });
  on.editComment(line.id, "here!", "ben");
  await on.check({ name: "lint", of: "issue-1", conclusion: null });
  await on.check({ name: "lint", of: "issue-1", conclusion: "failure" });
  for (const kind of ["check_suite", "workflow_run"] as const) {
    await on.check({ name: "build", of: "issue-1", conclusion: null, kind });
    await on.check({ name: "build", of: "issue-1", conclusion: "failure", kind });
  }
  await on.check({ name: "legacy", of: "issue-1", conclusion: "success", kind: "status" });
  const fork = await on.fork("stranger");
  await fork.commit({ branch: "issue-1", message: "Mine", files: { "src/gate.txt": "mine\n" } });
  const foreign = await on.openPull({
    title: "From a fork",
    head: "issue-1",
    headRepository: "stranger/garden",
    by: "stranger",
  });
  on.removeFork("stranger");
  on.closeIssue(foreign.number, "stranger");
  on.reopenIssue(foreign.number);
  on.editIssue(foreign.number, { body: "changed" });
  await on.mergePull(pull.number);
  on.closeIssue(issue.number);
  on.reopenIssue(issue.number);
}

describe("payloads", () => {
  test("every webhook fits the published schema of its event and action", () => {
    const wrong = host.deliveries().flatMap((delivery) => {
      const validate = validatorOf(delivery);
      return validate(delivery.payload)
        ? []
        : [`${delivery.event}.${delivery.action}: ${ajv.errorsText(validate.errors)}`];
    });
    expect(wrong).toEqual([]);
    const kinds = new Set(
      host.deliveries().map((delivery) => `${delivery.event}.${delivery.action}`),
    );
    expect(kinds.size).toBe(25);
  });

  test("the check can fail: a payload without its issue's title is refused", () => {
    const opened = host
      .deliveries()
      .find((delivery) => delivery.event === "issues" && delivery.action === "opened");
    if (opened === undefined) throw new Error("nothing was opened");
    const { title: _, ...untitled } = Object(opened.payload["issue"]);
    expect(validatorOf(opened)({ ...opened.payload, issue: untitled })).toBe(false);
  });

  test("nothing of the examples' own repository or people is left in what is sent", () => {
    const leaks = host
      .deliveries()
      .filter((delivery) =>
        /Codertocat|Hello-World|octo-org/.test(
          JSON.stringify({ ...delivery.payload, commit: null }),
        ),
      );
    expect(leaks.map((delivery) => delivery.event)).toEqual([]);
  });

  test("a fork's pull request names the fork, and nobody once the fork is gone", () => {
    const opened = host
      .deliveries()
      .find((delivery) => delivery.body.includes("From a fork") && delivery.action === "opened");
    expect(opened?.payload["pull_request"]).toMatchObject({
      head: { ref: "issue-1", repo: { full_name: "stranger/garden" } },
      base: { repo: { full_name: "Maria/garden" } },
    });
    const closed = host
      .deliveries()
      .find((delivery) => delivery.body.includes("From a fork") && delivery.action === "closed");
    expect(closed?.payload["pull_request"]).toMatchObject({ head: { repo: null }, merged: false });
  });

  test("a merged pull request is closed as merged and its head stands on the default branch", () => {
    const merged = host
      .deliveries()
      .find(
        (delivery) =>
          delivery.event === "pull_request" &&
          delivery.action === "closed" &&
          delivery.body.includes("Oil the gate"),
      );
    expect(merged?.payload["pull_request"]).toMatchObject({ merged: true, state: "closed" });
  });
});
