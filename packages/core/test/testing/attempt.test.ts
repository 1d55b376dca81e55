import { expect, test } from "vitest";
import { promptText } from "../../src/message/prompt-text.ts";
import type { TurnRequest } from "../../src/ports/harness.ts";
import { beginAttempt, runAttempt } from "../../src/testing/adapter/attempt.ts";
import type { AdapterStage } from "../../src/testing/adapter/stage.ts";
import { openTinyStage } from "./tiny-harness.ts";
import { watched } from "./watched-stage.ts";

function open(): AdapterStage & { readonly request: TurnRequest } {
  const stage = watched(openTinyStage({ receipts: true }), (_what, _asked, answer) => answer);
  const { workdir, turnDir } = stage.place;
  return {
    ...stage,
    request: {
      mode: "resume",
      sessionId: "nobody",
      receipt: "r",
      prompt: promptText("hello"),
      workdir,
      turnDir,
      env: stage.env,
    },
  };
}

test("who waits for a line that never comes is told what the child said, in its first 2,000 characters, and why it ended", async () => {
  const { turns, start, request } = open();
  const begun = await beginAttempt(turns, request, start);
  await begun.send();
  await expect(begun.until((line) => line === "never")).rejects.toThrow(
    new Error("the child ended before the line that was waited for; it said:\nsome words\nlost"),
  );

  const long = await beginAttempt(
    { ...turns, readLine: () => null },
    request,
    async (plan, workdir) => ({
      ...(await start(plan, workdir)),
      async *lines() {
        yield* ["x".repeat(1500), "y".repeat(1500)];
      },
    }),
  );
  await long.send();
  await expect(long.until(() => false)).rejects.toThrow(
    new Error(
      `the child ended before the line that was waited for; it said:\n${"x".repeat(1500)}\n${"y".repeat(499)}\nlost`,
    ),
  );
});

test("a program that is gone before it reads its message has an outcome like any other", async () => {
  const { turns, start, request } = open();
  const gone = async (...asked: Parameters<typeof start>): ReturnType<typeof start> => ({
    ...(await start(...asked)),
    write: async (text) =>
      (await start(...asked)).write(text).then(() => Promise.reject(new Error("EPIPE"))),
  });
  const attempt = runAttempt(turns, request, async (...asked) => {
    const child = await gone(...asked);
    child.signal("SIGTERM");
    return child;
  });
  expect((await attempt).outcome).toEqual({ kind: "killed", signal: "SIGTERM", asked: false });
});

test("what a later life finds out comes from the output that was kept, unless it is lost", async () => {
  const { turns, start, request } = open();
  const ended = await runAttempt(turns, { ...request, mode: "start" }, start);
  expect([
    (await ended.evidence()).kind,
    (await ended.evidence("kept")).kind,
    (await ended.evidence("lost")).kind,
  ]).toEqual(["done", "done", "interrupted"]);
  expect(ended).toMatchObject({ receipt: "r", sessionId: "nobody", stderr: "", end: { code: 0 } });
});
