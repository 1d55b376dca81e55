import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPracticeHost, type PracticeHost } from "../src/index.ts";

let host: PracticeHost;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "practice-http-"));
  host = await createPracticeHost({
    owner: "maria",
    users: [
      { login: "maria", token: "t-maria" },
      { login: "agent", token: "t-agent" },
    ],
  });
});
afterAll(async () => {
  await host.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function call(
  method: string,
  path: string,
  body: object | null = null,
  token: string | null = "t-agent",
): Promise<{
  readonly status: number;
  readonly link: string | null;
  readonly body: ReturnType<typeof JSON.parse>;
}> {
  const headers = {
    "content-type": "application/json",
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  };
  const answer = await fetch(`${host.apiUrl}${path}`, {
    method,
    headers,
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    link: answer.headers.get("link"),
    body: text === "" ? null : JSON.parse(text),
  };
}

const git = async (cwd: string, ...args: string[]): Promise<string> => {
  const done = await promisify(execFile)(
    "git",
    ["-c", "user.name=agent", "-c", "user.email=agent@practice.invalid", ...args],
    {
      cwd,
      encoding: "utf8",
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_TERMINAL_PROMPT: "0" },
    },
  );
  return done.stdout.trim();
};

test("clone, push, open a pull request: what an agent does, over plain git and the interface", async () => {
  const issue = host.openIssue({ title: "Water the roses", body: "Daily." });
  const clone = join(folder, "clone");
  await git(folder, "clone", "-q", host.cloneUrl, clone);
  writeFileSync(join(clone, "roses.txt"), "watered\n");
  await git(clone, "switch", "-q", "-c", `issue-${issue.number}`);
  await git(clone, "add", ".");
  await git(clone, "commit", "-q", "-m", "Water");
  await git(clone, "push", "-q", "origin", "HEAD");
  const made = await call("POST", "/repos/maria/garden/pulls", {
    title: "Water",
    head: `issue-${issue.number}`,
    base: "main",
    body: `Closes #${issue.number}`,
  });
  expect(made.status).toBe(201);
  expect(made.body.head.sha).toBe(await git(clone, "rev-parse", "HEAD"));
  expect(
    (
      await call("POST", "/repos/maria/garden/pulls", {
        title: "Again",
        head: `issue-${issue.number}`,
        base: "main",
      })
    ).status,
  ).toBe(422);
  await git(clone, "commit", "-q", "--allow-empty", "-m", "More");
  await git(clone, "push", "-q", "origin", "HEAD");
  await host.idle();
  const moved = host.deliveries().findLast((delivery) => delivery.action === "synchronize");
  expect(moved?.payload).toMatchObject({
    after: await git(clone, "rev-parse", "HEAD"),
    before: made.body.head.sha,
  });
  const found = await call(
    "GET",
    `/repos/maria/garden/commits/${await git(clone, "rev-parse", "HEAD")}/pulls`,
  );
  expect(found.body.map((pull: { number: number }) => pull.number)).toEqual([made.body.number]);
});

test("comments and reactions stay; reacting twice is one reaction", async () => {
  const issue = host.openIssue({ title: "Talk" });
  const comment = await call("POST", `/repos/maria/garden/issues/${issue.number}/comments`, {
    body: "on it",
  });
  expect(comment.body.user.login).toBe("agent");
  expect(
    (await call("GET", `/repos/maria/garden/issues/${issue.number}/comments`)).body,
  ).toHaveLength(1);
  const path = `/repos/maria/garden/issues/comments/${comment.body.id}/reactions`;
  expect((await call("POST", path, { content: "eyes" })).status).toBe(201);
  expect((await call("POST", path, { content: "eyes" })).status).toBe(200);
  expect((await call("POST", path, { content: "wave" })).status).toBe(422);
  expect((await call("GET", path)).body).toHaveLength(1);
});

test("lists come in pages", async () => {
  const issue = host.openIssue({ title: "Long talk" });
  for (let n = 0; n < 5; n++) host.comment(issue.number, `word ${n}`);
  const first = await call("GET", `/repos/maria/garden/issues/${issue.number}/comments?per_page=2`);
  expect(first.body).toHaveLength(2);
  expect(first.link).toContain('page=3>; rel="last"');
});

test("bad calls get clear answers: no token, a wrong one, no such thing, no JSON", async () => {
  expect((await call("POST", "/repos/maria/garden/issues", { title: "x" }, null)).status).toBe(401);
  expect((await call("GET", "/user", null, "wrong")).status).toBe(401);
  expect((await call("GET", "/repos/maria/garden/issues/9999")).status).toBe(404);
  expect((await call("GET", "/repos/nobody/garden")).status).toBe(404);
  expect((await call("POST", "/repos/maria/garden/issues", {})).status).toBe(422);
  const broken = await fetch(`${host.apiUrl}/repos/maria/garden/issues`, {
    method: "POST",
    body: "{",
    headers: { authorization: "token t-agent" },
  });
  expect(broken.status).toBe(400);
});

test("a thread is readable as plain text", async () => {
  const issue = host.openIssue({
    title: "Read me",
    body: "First words",
    labels: ["loop: auto-execute"],
  });
  host.comment(issue.number, "Second words", "ben");
  const page = await (await fetch(`${host.url}/maria/garden/issues/${issue.number}`)).text();
  expect(page).toContain("Read me (open)");
  expect(page).toContain("First words");
  expect(page).toMatch(/-- ben .*\n {2}Second words/);
  expect(await (await fetch(`${host.url}/`)).text()).toContain("maria/garden");
  expect((await fetch(`${host.url}/maria/garden/issues/777`)).status).toBe(404);
});
