import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatRef } from "@loopwork/core/ports";
import { type Candidate, type ClassifierVerdict, formatCandidate } from "@loopwork/core/learnings";
import { createLocks } from "@loopwork/store";
import { describe, expect, onTestFinished, test } from "vitest";
import type { TeamLearnings } from "@loopwork/runtime";
import { createTeamLearnings } from "../../src/start/team-learnings.ts";
import { choose } from "../support/choose-loop.ts";
import { lookHere } from "../support/look-here.ts";

const repository = "code.example/acme/shop";
const now = 1_800_000_000_000;
const indexFile = "docs/learnings/learnings.md";

/** The service's learnings with a state root of its own, and checkouts that chose loop. */
class Team {
  readonly dir: string = mkdtempSync(join(tmpdir(), "loop-team-"));
  readonly warned: string[] = [];
  readonly learnings: TeamLearnings = createTeamLearnings(
    this.dir,
    "0",
    createLocks(join(this.dir, "locks")),
    (text) => this.warned.push(text),
    lookHere,
  );
  #runs = 0;

  constructor() {
    onTestFinished(() => rmSync(this.dir, { recursive: true, force: true }));
  }

  checkout(name: string): string {
    const root = join(this.dir, name);
    execFileSync("git", ["init", "--quiet", root]);
    choose(root);
    return root;
  }

  commit(root: string): void {
    execFileSync("git", ["-C", root, "add", "--all"]);
    execFileSync("git", [
      "-C",
      root,
      "-c",
      "user.name=a",
      "-c",
      "user.email=a@b",
      "commit",
      "--quiet",
      "--message",
      "Learn",
    ]);
  }

  async hear(...texts: readonly string[]): Promise<void> {
    for (const text of texts)
      for (let times = 0; times < 3; times += 1)
        await this.learnings.keep(repository, this.candidate(text));
  }

  candidate(text: string): Candidate {
    this.#runs += 1;
    return {
      id: `c-${String(this.#runs).padStart(4, "0")}`,
      text,
      category: "testing",
      signal: { kind: "test-fail", by: "check", ref: "" },
      severity: "medium",
      severityReason: null,
      workItem: "host:acme/shop#1",
      run: `r${this.#runs}`,
      harness: "A",
      instance: "default",
      at: now - 5000,
      evidence: "",
    };
  }

  queue(): readonly string[] {
    const [folder = ""] = readdirSync(join(this.dir, "learnings"));
    return readdirSync(join(this.dir, "learnings", folder, "pending")).filter((name) =>
      name.endsWith(".yaml"),
    );
  }
}

describe("a checkout that begins", () => {
  test("is told what to commit as often as it begins, until that is committed", async () => {
    const team = new Team();
    const root = team.checkout("one");
    await team.hear("Start the database before the integration tests");
    await team.learnings.ask(repository);
    const files = [".loop/manifest.yaml", "docs/learnings/learning-001.md", indexFile];
    for (const consolidated of [true, false, false]) {
      const { done, toCommit } = await team.learnings.bringUpToDate(repository, root, now, null);
      expect([done !== null, toCommit.toSorted()]).toEqual([consolidated, files]);
    }
    team.commit(root);
    expect(await team.learnings.bringUpToDate(repository, root, now, null)).toEqual({
      done: null,
      toCommit: [],
    });
  });

  test("is not told of files that somebody changes there, or that stand in another checkout", async () => {
    const team = new Team();
    const [one, other] = [team.checkout("one"), team.checkout("other")];
    await team.hear("Start the database before the integration tests");
    await team.learnings.ask(repository);
    await team.learnings.bringUpToDate(repository, one, now, null);
    expect(await team.learnings.bringUpToDate(repository, other, now, null)).toEqual({
      done: null,
      toCommit: [],
    });
    writeFileSync(join(one, indexFile), "# Mine\n");
    expect((await team.learnings.bringUpToDate(repository, one, now, null)).toCommit).not.toContain(
      indexFile,
    );
  });

  test("is finished where it was cut off, also when another one was brought up to date meanwhile, and gets nothing that the first has", async () => {
    const team = new Team();
    const [one, other] = [team.checkout("one"), team.checkout("other")];
    await team.hear("Start the database before the integration tests");
    await team.learnings.ask(repository);
    // A folder stands where the first detail should, as if the disk refused it: the index is
    // written, the rest is not.
    mkdirSync(join(one, "docs/learnings/learning-001.md.loop-tmp"), { recursive: true });
    await expect(team.learnings.bringUpToDate(repository, one, now, null)).rejects.toThrow();
    rmSync(join(one, "docs/learnings/learning-001.md.loop-tmp"), { recursive: true });
    expect(existsSync(join(one, indexFile))).toBe(true);
    await team.hear("Rotate the signing keys every quarter");
    const elsewhere = await team.learnings.bringUpToDate(repository, other, now, null);
    expect(elsewhere.done?.plan.changes).toMatchObject([
      { learning: { id: 2, text: "Rotate the signing keys every quarter" } },
    ]);
    const { done, toCommit } = await team.learnings.bringUpToDate(repository, one, now, null);
    expect([done, toCommit.toSorted()]).toEqual([
      null,
      [".loop/manifest.yaml", "docs/learnings/learning-001.md", indexFile],
    ]);
    expect(existsSync(join(one, "docs/learnings/learning-001.md"))).toBe(true);
    expect(team.queue()).toEqual([]);
  });
});

test("the same file in the checkouts of two work items is two occurrences, and in one of them one", async () => {
  const team = new Team();
  const text = formatCandidate(team.candidate("Start the database before the integration tests"));
  for (const [name, number] of [
    ["one", 1],
    ["other", 2],
    ["one", 1],
  ] as const) {
    const root = team.checkout(name);
    mkdirSync(join(root, ".loop/learnings-pending"), { recursive: true });
    writeFileSync(join(root, ".loop/learnings-pending/note.yaml"), text);
    const workItem = formatRef({ host: null, owner: "acme", repo: "shop", number });
    await team.learnings.collect(repository, root, workItem, (candidate, id) => ({
      ...candidate,
      id,
      workItem,
      run: "agent",
    }));
  }
  expect(team.queue()).toHaveLength(2);
});

describe("what is asked for", () => {
  test("while a consolidation runs is done by the next", async () => {
    const team = new Team();
    const [one, other] = [team.checkout("one"), team.checkout("other")];
    await team.hear(
      "Add a contract test for each new endpoint",
      "Rotate the keys every ninety days",
    );
    await team.learnings.ask(repository);
    await team.learnings.bringUpToDate(repository, one, now, null);
    await team.hear("Add a smoke test for new endpoints of partners");
    await team.learnings.ask(repository);
    let asked = 0;
    const meanwhile = async (): Promise<ReadonlyMap<string, ClassifierVerdict>> => {
      asked += 1;
      await team.hear("Never commit generated files");
      await team.learnings.ask(repository);
      return new Map();
    };
    await team.learnings.bringUpToDate(repository, one, now, meanwhile);
    expect(asked).toBe(1);
    expect(
      (await team.learnings.bringUpToDate(repository, other, now, null)).done?.plan.changes,
    ).toMatchObject([{ learning: { text: "Never commit generated files" } }]);
    expect((await team.learnings.bringUpToDate(repository, other, now, null)).done).toBeNull();
  });

  test("is still asked for where the consolidation failed", async () => {
    const team = new Team();
    const root = team.checkout("one");
    await team.hear("Start the database before the integration tests");
    await team.learnings.ask(repository);
    mkdirSync(join(root, "docs/learnings"), { recursive: true });
    writeFileSync(join(root, "docs/learnings/learning-001.md"), "no detail\n");
    await expect(team.learnings.bringUpToDate(repository, root, now, null)).rejects.toMatchObject({
      code: "LOOP_E_LEARNINGS_FILE",
    });
    expect(
      (await team.learnings.bringUpToDate(repository, team.checkout("other"), now, null)).done?.plan
        .changes,
    ).toMatchObject([{ kind: "add" }]);
  });
});
