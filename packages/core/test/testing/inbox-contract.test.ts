import { describe, expect, test } from "vitest";
import { replayWindowMs } from "../../src/event/delivery.ts";
import type { Acceptance } from "../../src/ports/inbox.ts";
import { bytesOf, deliveryOf, noon } from "../../src/testing/build-delivery.ts";
import { inboxContract } from "../../src/testing/inbox-contract.ts";
import { createMemoryInbox, memoryInboxSubject } from "../../src/testing/memory-inbox.ts";
import { folded, type Spoilt, spoiltInbox } from "./spoilt-inbox.ts";

describe("an inbox that is right keeps every row", () => {
  test.each(inboxContract.filter(({ durable }) => !durable).map((row) => [row.id, row] as const))(
    "%s in memory",
    async (_id, row) => row.run(memoryInboxSubject()),
  );
  test.each(inboxContract.map((row) => [row.id, row] as const))(
    "%s over its openings",
    async (_id, row) => row.run(spoiltInbox()),
  );
});

test("the inbox in memory takes a body for a replay until 7 days have passed, and keeps bytes of its own", async () => {
  const inbox = createMemoryInbox();
  const body = bytesOf("{}");
  await inbox.append(deliveryOf("first", { body, allowReplay: true }));
  body[0] = 0;
  expect(inbox.stored).toEqual([{ ...deliveryOf("first", { body: bytesOf("{}") }), seq: 1 }]);
  expect(
    await inbox.append(
      deliveryOf("second", { body: bytesOf("{}"), receivedAt: noon + replayWindowMs }),
    ),
  ).toEqual({ kind: "duplicate", why: "replay", of: "first" });
  expect(
    await inbox.append(
      deliveryOf("third", { body: bytesOf("{}"), receivedAt: noon + replayWindowMs + 1 }),
    ),
  ).toEqual({ kind: "accepted", seq: 2 });
});

test("what each row does is on record", async () => {
  const text: string[] = [];
  for (const row of inboxContract) {
    const lines: string[] = [];
    await row.run(spoiltInbox({ told: (line) => lines.push(line) }));
    text.push(`${row.id} ${row.title}${row.durable ? " (durable)" : ""}`, ...folded(lines), "");
  }
  await expect(text.join("\n")).toMatchFileSnapshot("inbox-contract.txt");
});

/** The rows that an inbox does not keep. */
async function red(spoilt: Spoilt): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const row of inboxContract)
    await row.run(spoiltInbox(spoilt)).catch(() => failed.push(row.id));
  return failed;
}

describe("an inbox that is wrong goes red where it is wrong, and nowhere else", () => {
  const accepted = (_answer: Acceptance, call: number): Acceptance => ({
    kind: "accepted",
    seq: call,
  });
  const rows: readonly (readonly [string, Spoilt, readonly string[]])[] = [
    [
      "it says yes to everything",
      { answers: accepted },
      ["I02", "I03", "I04", "I05", "I06", "I09", "I13", "I16"],
    ],
    [
      "it keeps nothing",
      { takes: () => null },
      [
        "I01",
        "I02",
        "I03",
        "I04",
        "I05",
        "I06",
        "I09",
        "I10",
        "I11",
        "I12",
        "I13",
        "I15",
        "I16",
        "I17",
      ],
    ],
    [
      "it knows no replays",
      { takes: (delivery) => ({ ...delivery, allowReplay: true }) },
      ["I04", "I05", "I06", "I16"],
    ],
    [
      "it takes bodies for texts",
      {
        takes: (delivery) => ({
          ...delivery,
          body:
            delivery.body === null
              ? null
              : new TextEncoder().encode(new TextDecoder().decode(delivery.body)),
        }),
      },
      ["I12"],
    ],
    [
      "it cuts bodies at 1 MiB",
      {
        takes: (delivery) => ({ ...delivery, body: delivery.body?.slice(0, 1024 * 1024) ?? null }),
      },
      ["I12"],
    ],
    [
      "it takes every delivery for verified",
      { takes: (delivery) => ({ ...delivery, verified: true }) },
      ["I08", "I15"],
    ],
    [
      "it takes ids without their case",
      { takes: (delivery) => ({ ...delivery, id: delivery.id.toLowerCase() }) },
      ["I14"],
    ],
    [
      "it cuts ids at 127 characters",
      { takes: (delivery) => ({ ...delivery, id: delivery.id.slice(0, 127) }) },
      ["I14"],
    ],
    [
      "it does not keep what is ignored",
      { takes: (delivery) => (delivery.ignored === null ? delivery : null) },
      ["I13", "I16"],
    ],
    ["it forgets with its life", { reopens: "forgets" }, ["I16", "I17"]],
    [
      "it shows the newest first",
      { shows: (stored) => stored.toReversed() },
      ["I03", "I11", "I12", "I13", "I15"],
    ],
  ];
  test.each(rows)("%s", async (_name, spoilt, expected) =>
    expect(await red(spoilt)).toEqual(expected),
  );
});
