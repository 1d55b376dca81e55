import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ReceiptEvidence } from "@loopwork/core/ports";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findEvidence } from "../src/headless-evidence.ts";
import { lines, otherReceipt, receipt, sessionId } from "./support.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "harness-a-receipt-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

type Traces = {
  readonly stdout?: readonly string[];
  readonly rows?: readonly object[];
  readonly ledger?: string;
  readonly proven?: boolean;
};

async function evidence({
  stdout = [],
  rows,
  ledger,
  proven = true,
}: Traces): Promise<ReceiptEvidence> {
  const configDir = path.join(dir, "config");
  if (rows !== undefined) {
    mkdirSync(path.join(configDir, "projects", "-w"), { recursive: true });
    writeFileSync(
      path.join(configDir, "projects", "-w", `${sessionId}.jsonl`),
      rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
    );
  }
  if (ledger !== undefined) writeFileSync(path.join(dir, "tools.jsonl"), ledger);
  return findEvidence(
    { receipt, runner: "headless", sessionId, workdir: "/w", turnDir: dir, stdout },
    { configDir, proven: async () => proven },
  );
}

const asked = {
  type: "user",
  uuid: receipt,
  parentUuid: null,
  message: { role: "user", content: "do it" },
};
const attachment = {
  type: "attachment",
  uuid: "a1",
  parentUuid: receipt,
  attachment: { type: "date" },
};
const replied = {
  type: "assistant",
  uuid: "a2",
  parentUuid: "a1",
  message: { role: "assistant", content: [{ type: "text", text: "…" }] },
};
const apiError = {
  type: "assistant",
  uuid: "a3",
  parentUuid: "a1",
  isApiErrorMessage: true,
  apiErrorStatus: 529,
  message: { content: [{ type: "text", text: "API Error: 529" }] },
};
const entry = (changes: object = {}): string =>
  `${JSON.stringify({ sessionId, tool: "Bash", toolUseId: "t", receipt, at: 1, ...changes })}\n`;
const begun = [lines.lifecycle("queued"), lines.lifecycle("started"), lines.init(), lines.echo()];

describe("evidence of an attempt whose end nobody saw", () => {
  test("done: the output has an end of turn that names the receipt", async () => {
    expect(await evidence({ stdout: [...begun, lines.result()], rows: [asked] })).toEqual({
      kind: "done",
      usd: 0.75,
      minutes: 0.5,
    });
  });

  test("an end of turn that failed carries its outcome", async () => {
    const failed = lines.result({
      is_error: true,
      terminal_reason: "api_error",
      api_error_status: 529,
    });
    expect(await evidence({ stdout: [failed] })).toMatchObject({
      kind: "api-error",
      outcome: { kind: "transient", status: 529 },
    });
  });

  test("absent: no trace at all, with and without a session", async () => {
    expect(await evidence({})).toEqual({ kind: "absent", sessionExists: false });
    expect(
      await evidence({
        stdout: [lines.lifecycle("queued")],
        rows: [{ ...asked, uuid: otherReceipt }],
      }),
    ).toEqual({ kind: "absent", sessionExists: true });
  });

  test("asked-only: the message is on record, our plugin was loaded, and nothing happened after it", async () => {
    expect(await evidence({ stdout: begun, rows: [asked, attachment] })).toEqual({
      kind: "asked-only",
    });
    expect(await evidence({ stdout: [lines.lifecycle("started")], rows: [asked] })).toEqual({
      kind: "asked-only",
    });
  });

  test("an empty ledger proves nothing when our plugin was not loaded, or when no output is left", async () => {
    expect(await evidence({ stdout: [lines.init([])], rows: [asked] })).toEqual({
      kind: "interrupted",
    });
    expect(await evidence({ rows: [asked] })).toEqual({ kind: "interrupted" });
  });

  test("interrupted: a tool of this attempt is in the ledger, however little else there is", async () => {
    expect(await evidence({ stdout: begun, rows: [asked], ledger: entry() })).toEqual({
      kind: "interrupted",
    });
    expect(await evidence({ ledger: entry() })).toEqual({ kind: "interrupted" });
    expect(
      await evidence({ stdout: begun, rows: [asked], ledger: '{"sessionId":"half a li' }),
    ).toEqual({ kind: "interrupted" });
    expect(
      await evidence({ stdout: begun, rows: [asked], ledger: entry({ receipt: null }) }),
    ).toEqual({ kind: "interrupted" });
  });

  test("a tool of another attempt or session does not count", async () => {
    expect(
      await evidence({
        stdout: begun,
        rows: [asked],
        ledger: entry({ receipt: otherReceipt }) + entry({ sessionId: otherReceipt }),
      }),
    ).toEqual({ kind: "asked-only" });
  });

  test("interrupted: a reply is in the transcript or in the output", async () => {
    expect(await evidence({ rows: [asked, attachment, replied] })).toEqual({ kind: "interrupted" });
    expect(await evidence({ stdout: [...begun, lines.reply()], rows: [asked] })).toEqual({
      kind: "interrupted",
    });
  });

  test("a reply to another message does not count", async () => {
    const other = { ...asked, uuid: otherReceipt, parentUuid: receipt };
    expect(
      await evidence({
        stdout: begun,
        rows: [asked, other, { ...replied, parentUuid: otherReceipt }],
      }),
    ).toEqual({ kind: "asked-only" });
    expect(
      await evidence({
        stdout: begun,
        rows: [
          { ...asked, uuid: otherReceipt },
          { ...replied, parentUuid: otherReceipt },
          { ...asked, parentUuid: "a2" },
        ],
      }),
    ).toEqual({ kind: "asked-only" });
  });

  test("api-error: the newest thing on record for it is an error", async () => {
    expect(await evidence({ rows: [asked, attachment, apiError] })).toEqual({
      kind: "api-error",
      outcome: { kind: "transient", status: 529, detail: "API Error: 529" },
    });
    expect(
      await evidence({ rows: [asked, attachment, replied, { ...apiError, parentUuid: "a2" }] }),
    ).toMatchObject({ kind: "api-error" });
    expect(
      await evidence({ rows: [asked, attachment, apiError, { ...replied, parentUuid: "a3" }] }),
    ).toEqual({ kind: "interrupted" });
  });

  test("api-error: a usage limit with its time", async () => {
    const limit = {
      ...apiError,
      apiErrorStatus: 429,
      apiError: "usage_limit_reached",
      apiErrorParams: { rate_limit_info: { resetsAt: 1_795_240_999, rateLimitType: "seven_day" } },
    };
    expect(await evidence({ rows: [asked, attachment, limit] })).toEqual({
      kind: "api-error",
      outcome: { kind: "usage-limit", until: 1_795_240_999_000, limit: "seven_day" },
    });
  });

  test.each([
    [
      "merged into another message's row",
      { ...asked, uuid: otherReceipt, mergedSendUuids: [receipt] },
    ],
    [
      "taken into a running turn",
      {
        type: "attachment",
        uuid: "q",
        parentUuid: null,
        attachment: { type: "queued_command", source_uuid: receipt },
      },
    ],
  ])("the receipt is found when the message was %s", async (_name, found) => {
    expect(await evidence({ stdout: begun, rows: [found] })).toEqual({ kind: "asked-only" });
  });

  test("unknown: a version that was not proven, unless there is a positive trace", async () => {
    expect(await evidence({ proven: false })).toMatchObject({ kind: "unknown" });
    expect(await evidence({ proven: false, rows: [asked], stdout: begun })).toMatchObject({
      kind: "unknown",
    });
    expect(await evidence({ proven: false, rows: [asked, attachment, replied] })).toEqual({
      kind: "interrupted",
    });
    expect(await evidence({ proven: false, stdout: [lines.result()] })).toMatchObject({
      kind: "done",
    });
  });

  test("unknown: a trace that cannot be read is no proof of absence", async () => {
    mkdirSync(path.join(dir, "tools.jsonl"));
    expect(await evidence({})).toMatchObject({ kind: "unknown" });
  });

  test("D03: a torn last line of the transcript is no trouble", async () => {
    mkdirSync(path.join(dir, "config", "projects", "-w"), { recursive: true });
    writeFileSync(
      path.join(dir, "config", "projects", "-w", `${sessionId}.jsonl`),
      `${JSON.stringify(asked)}\n{"type":"assis`,
    );
    expect(await evidence({ stdout: begun })).toEqual({ kind: "asked-only" });
  });
});
