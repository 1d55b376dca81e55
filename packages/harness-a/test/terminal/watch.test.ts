import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { leadOf } from "../../src/terminal/message.ts";
import { watchMessage } from "../../src/terminal/watch.ts";
import { createFakeTerminal } from "./fake-terminal.ts";

test("a message is followed through a transcript that grows, also over lines that come in halves", async () => {
  const fake = createFakeTerminal();
  const { configDir, sessionId, receipt } = fake.turn;
  const watch = watchMessage(configDir, sessionId, receipt);
  expect(await watch.look()).toMatchObject({ message: { asked: false }, sessionExists: false });

  fake.record({ type: "user", uuid: "u0", message: { content: "an earlier message" } });
  expect(await watch.look()).toMatchObject({ message: { asked: false }, sessionExists: true });

  const row = JSON.stringify({
    type: "user",
    uuid: "u1",
    promptId: "p1",
    message: { content: `${leadOf(receipt)} grüße 日本` },
  });
  const file = join(configDir, "projects", "work", `${sessionId}.jsonl`);
  const bytes = Buffer.from(`${row}\n`);
  appendFileSync(file, bytes.subarray(0, bytes.length - 6)); // In the middle of a character.
  expect((await watch.look()).message.asked).toBe(false);
  appendFileSync(file, bytes.subarray(bytes.length - 6));
  expect((await watch.look()).message).toMatchObject({
    asked: true,
    promptId: "p1",
    replied: false,
  });

  fake.record({ type: "assistant", uuid: "a1", parentUuid: "u1", message: { content: [] } });
  expect((await watch.look()).message.replied).toBe(true);
  expect((await watch.look()).message.replied).toBe(true);
});

test("a text that quotes the receipt is not the message", async () => {
  const fake = createFakeTerminal();
  const { configDir, sessionId, receipt } = fake.turn;
  fake.record({
    type: "user",
    uuid: "u1",
    message: { content: `The summary so far: ${leadOf(receipt)}` },
  });
  fake.record({ type: "user", uuid: "u2", isMeta: true, message: { content: leadOf(receipt) } });
  fake.record({ type: "assistant", uuid: "u3", message: { content: leadOf(receipt) } });
  expect((await watchMessage(configDir, sessionId, receipt).look()).message.asked).toBe(false);
});
