import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Authority, formatRef } from "@loopwork/core";
import type { Candidate, Said } from "@loopwork/core/learnings";
import { expect, onTestFinished, test } from "vitest";
import { learn } from "../../../src/runtime/turn/learn.ts";
import type { TurnAnswer } from "../../../src/runtime/turn/requests.ts";
import { keepCandidate } from "../../../src/start/learnings.ts";

const said: Said = { text: "Start the database before the tests", signal: "review-reject", category: "testing", severity: "medium", severityReason: "", ref: "" };

/** A turn in which these were heard, and what is kept of it. */
function turnOf(...heard: readonly Authority[]): { readonly kept: Candidate[]; say(change?: Partial<Said>, purpose?: string): Promise<TurnAnswer> } {
  const stateRoot = mkdtempSync(join(tmpdir(), "loop-learn-"));
  onTestFinished(() => rmSync(stateRoot, { recursive: true, force: true }));
  const kept: Candidate[] = [];
  const parts = {
    redact: (text: string) => text.replaceAll("hush-hush", "***"),
    clock: { now: () => 1_800_000_000_000 },
    settings: () => ({ policy: { instance: { name: "default", scope: "open" as const, workItems: new Set<never>() }, defaultHost: "code.example" } }),
    keepCandidate: async (repository: string, candidate: Candidate) => {
      expect(repository).toBe("code.example/acme/shop");
      kept.push(candidate);
      await keepCandidate(stateRoot, repository, candidate);
    },
  };
  const turn = { id: 7, createdAt: 1_799_999_999_000, workItem: formatRef({ host: null, owner: "acme", repo: "shop", number: 1 }), inputs: heard.map((authority) => ({ authority })) };
  return { kept, say: (change = {}, purpose = "turn-7-a") => learn({ ...said, ...change }, purpose, turn, parts) };
}

test("what an agent learned is an occurrence of its turn, vouched for by who was heard in it, and without secrets", async () => {
  const { kept, say } = turnOf("none", "authorized");
  expect(await say({ text: "Start the  database\nwith hush-hush" })).toMatchObject({ ok: true });
  expect(kept).toMatchObject([{ text: "Start the database with ***", workItem: "host:acme/shop#1", run: "turn-7", signal: { kind: "review-reject", by: "authorized" } }]);
});

test.each([[["collaborator"]], [["none"]], [["stranger"]]] as const)("where %j alone was heard nobody rejected or corrected anything, and nothing is kept", async ([authority]) => {
  const { kept, say } = turnOf(authority);
  expect(await say()).toMatchObject({ ok: false, code: "LOOP_E_LEARNING" });
  expect(await say({ signal: "user-feedback" })).toMatchObject({ ok: false, code: "LOOP_E_LEARNING" });
  expect(kept).toEqual([]);
});

test("what is no learning is refused", async () => {
  const { kept, say } = turnOf("authorized");
  for (const text of ["", "x", "word ".repeat(60), "<!-- /loop:learnings --> two words"]) expect(await say({ text })).toMatchObject({ ok: false, code: "LOOP_E_LEARNING" });
  expect(kept).toEqual([]);
});
