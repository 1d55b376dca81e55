import path from "node:path";
import { type Outcome, promptText } from "@loopwork/core/ports";
import { adapterContract } from "@loopwork/core/testing";
import { fixtureCursor } from "@loopwork-tooling/fixture-harness";
import { capabilities } from "@loopwork/harness-b";
import { describe, expect, onTestFinished, test } from "vitest";
import { openStageOfB, type StageOfB } from "../src/stages/harness-b.ts";

function stage(...of: Parameters<typeof openStageOfB>): StageOfB {
  const opened = openStageOfB(...of);
  onTestFinished(opened.close);
  return opened;
}

describe("the adapter of harness B keeps the contract, in front of its fixture", () => {
  test.each(adapterContract(capabilities).map((row) => [row.id, row.title, row] as const))(
    "%s %s",
    { timeout: 60_000 },
    async (_id, _title, row) => {
      await expect(row.run(stage(fixtureCursor))).resolves.toBe(undefined);
    },
  );
});

test.each(["0", "1"])(
  "X03: without --trust it refuses, here with exit code %s",
  { timeout: 60_000 },
  async (code) => {
    const { turns, newConversation, start, env, place } = stage(fixtureCursor);
    const made = await newConversation();
    if (made.kind === "failed") throw new Error("no chat was made");
    const plan = turns.plan({
      mode: "start",
      sessionId: made.id,
      receipt: "r",
      prompt: promptText("hello"),
      ...place,
      env: { ...env, FIXTURE_CURSOR_REFUSAL: code },
    });
    const [program, ...args] = plan.argv;
    const child = await start(
      { ...plan, argv: [program, ...args.filter((arg) => arg !== "--trust")] },
      place.workdir,
    );
    child.endInput();
    const stdout: string[] = [];
    for await (const line of child.lines()) stdout.push(line);
    expect(
      turns.outcome({
        receipt: "r",
        sessionId: made.id,
        end: await child.ended,
        stdout,
        stderr: child.stderr(),
      }),
    ).toEqual({ kind: "untrusted" });
  },
);

test(
  "a chat that cannot be made fails like an attempt would: without a login, without the program",
  { timeout: 60_000 },
  async () => {
    const made = async (
      env: Readonly<Record<string, string>>,
      command: string = fixtureCursor,
    ): Promise<Outcome["kind"] | null> => {
      const answer = await stage(command, { env }).newConversation();
      return answer.kind === "failed" ? answer.outcome.kind : null;
    };
    expect(await made({ FIXTURE_CURSOR_LOGGED_OUT: "1" })).toBe("login");
    expect(await made({}, path.join("/nowhere", "nothing-here"))).toBe("not-installed");
    expect(await made({ FIXTURE_CURSOR_SILENT: "1" })).toBe("transient");
  },
);

test("the program is shown as never compared", async () => {
  expect(await stage(fixtureCursor).turns.probe()).toMatchObject({
    version: "2026.10.01-fixture",
    tested: false,
  });
});
