import { describe, expect, test } from "vitest";
import {
  type BodyLimits,
  type BodyRead,
  type BodyReader,
  createBodyReader,
} from "../src/raw-body.ts";
import { openRaw, type RawConnection } from "./support/raw-http.ts";
import { serving } from "./support/receiving.ts";

/**
 * A reader behind a real server, which answers with how reading ended. `time` is moved by the test
 * alone.
 */
async function reading(limits: Partial<BodyLimits>) {
  const clock = { time: 0 };
  let ended = 0;
  const given = { maxBytes: 1000, deadlineMs: 60_000, maxBufferedBytes: 2000, ...limits };
  const bodies: BodyReader = createBodyReader({ now: () => clock.time, ...given });
  const port = await serving((request, response) => {
    void bodies.read(request).then((read) => {
      ended += 1;
      response.end(word(read));
    });
  });
  const open = async (sent: number, length: number): Promise<RawConnection> => {
    const connection = await openRaw(port);
    const [held, endedBefore] = [bodies.buffered(), ended];
    const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;
    connection.send(head + "x".repeat(sent));
    const waits = (): boolean => bodies.buffered() === held && ended === endedBefore;
    while (sent < length && waits()) await new Promise((soon) => setImmediate(soon));
    clock.time += 1;
    return connection;
  };
  const answerOf = async (connection: RawConnection): Promise<string> =>
    (await connection.answer()).body;
  return { bodies, clock, open, answerOf };
}

function word(read: BodyRead): string {
  return typeof read === "string" ? read : `read ${read.length}`;
}

describe("bodies that fill the bound of all", () => {
  test("a delivery gets through while bodies one byte short of theirs hold all there is", async () => {
    const { open, answerOf } = await reading({ maxBufferedBytes: 2998 });
    for (let n = 0; n < 3; n += 1) await open(999, 1000);
    await open(1, 1000);
    for (let n = 0; n < 50; n += 1) expect(await answerOf(await open(100, 100))).toBe("read 100");
  });

  test("the one that has held most for longest ends, and the others go on", async () => {
    const { open, answerOf, bodies } = await reading({});
    const large = await open(900, 1000);
    const small = await open(100, 200);
    const fresh = await open(950, 1000);
    const last = await open(60, 61);
    expect(await answerOf(large)).toBe("too-busy");
    expect(bodies.buffered()).toBe(1110);
    for (const [connection, missing] of [
      [small, 100],
      [fresh, 50],
      [last, 1],
    ] as const) {
      connection.send("x".repeat(missing));
      expect(await answerOf(connection)).toMatch(/^read/);
    }
  });

  test("of several that began at one moment the largest ends", async () => {
    const { open, answerOf, clock } = await reading({ now: () => 7 });
    const [one, two] = [await open(900, 1000), await open(950, 1000)];
    await open(200, 201);
    expect(clock.time).toBe(3);
    expect(await answerOf(two)).toBe("too-busy");
    one.send("x".repeat(100));
    expect(await answerOf(one)).toBe("read 1000");
  });

  test("many small ones that stall give way to one that comes in one go", async () => {
    const { open, answerOf } = await reading({});
    for (let n = 0; n < 40; n += 1) await open(50, 1000);
    expect(await answerOf(await open(50, 50))).toBe("read 50");
    expect(await answerOf(await open(1000, 1000))).toBe("read 1000");
  });

  test("one that alone holds more than there is ends itself", async () => {
    const { open, answerOf, bodies } = await reading({ maxBufferedBytes: 10 });
    expect(await answerOf(await open(11, 11))).toBe("too-busy");
    expect(bodies.buffered()).toBe(0);
  });
});

describe("a body without progress", () => {
  test("ends long before its deadline", async () => {
    const { open, answerOf, bodies } = await reading({ stallMs: 10 });
    expect(await answerOf(await open(999, 1000))).toBe("body-late");
    expect(bodies.buffered()).toBe(0);
  });

  test("ends also where it trickles", async () => {
    const { open, answerOf } = await reading({ stallMs: 50, stallBytes: 1000, maxBytes: 100_000 });
    const connection = await open(1, 100_000);
    const trickle = setInterval(() => connection.send("x"), 5);
    expect(await answerOf(connection).finally(() => clearInterval(trickle))).toBe("body-late");
  });

  test("is looked for again after a time without any", async () => {
    const { open, answerOf } = await reading({ stallMs: 10 });
    expect(await answerOf(await open(9, 10))).toBe("body-late");
    await new Promise((later) => setTimeout(later, 50));
    expect(await answerOf(await open(9, 10))).toBe("body-late");
  });
});
