import { describe, expect, test } from "vitest";
import {
  type Connection,
  type ConnectionRoom,
  createConnectionRoom,
} from "../../src/serving/connection-room.ts";

/** A connection that says when it was closed. */
function connection(
  name: string,
  closed: string[],
  bytesRead = 0,
): Connection & { bytesRead: number } {
  return { bytesRead, destroy: () => void closed.push(name) };
}

/** Opens connections of these names in turn, with what each does then. */
function filled(
  most: number,
  does: Readonly<
    Record<string, (room: ConnectionRoom, own: Connection & { bytesRead: number }) => void>
  >,
) {
  const closed: string[] = [];
  const room = createConnectionRoom(most);
  const all = Object.entries(does).map(([name, act]) => {
    const own = connection(name, closed);
    room.opened(own);
    act(room, own);
    return own;
  });
  return { room, closed, all, open: (name: string) => room.opened(connection(name, closed)) };
}

const silent = (): void => {};
const idle = (room: ConnectionRoom, own: Connection & { bytesRead: number }): void => {
  const answer = { writableEnded: true };
  own.bytesRead += 20;
  room.asked(own, answer);
  room.answered(own, answer);
};
const beginning = (_: ConnectionRoom, own: { bytesRead: number }): void =>
  void (own.bytesRead += 10);
const busy = (room: ConnectionRoom, own: Connection & { bytesRead: number }): void => {
  own.bytesRead += 20;
  room.asked(own, { writableEnded: false });
};
const unread = (room: ConnectionRoom, own: Connection & { bytesRead: number }): void => {
  own.bytesRead += 20;
  room.asked(own, { writableEnded: true });
};

describe("for a new connection", () => {
  test.each([
    ["the one that has been idle longest", { a: busy, b: idle, c: idle }, "b"],
    [
      "one that never sent anything, in the order of all that are idle",
      { a: silent, b: idle },
      "a",
    ],
    ["an idle one before one that sent half a header", { a: beginning, b: idle }, "b"],
    [
      "the oldest that sent half a header before one that does not read",
      { a: unread, b: beginning, c: beginning },
      "b",
    ],
    ["the oldest that does not read its answer", { a: busy, b: unread, c: unread }, "b"],
    ["itself, where all are in the middle of a request", { a: busy, b: busy }, "new"],
  ])("goes %s", (_, does, expected) => {
    const { closed, open } = filled(Object.keys(does).length, does);
    open("new");
    expect(closed).toEqual([expected]);
  });

  test("goes nobody while there is room, nor once somebody left", () => {
    const { room, closed, all, open } = filled(2, { a: idle, b: busy });
    const [first] = all;
    if (first !== undefined) room.closed(first);
    open("c");
    expect(closed).toEqual([]);
  });
});

test("a connection with two requests is idle once both are answered", () => {
  const { room, closed, all, open } = filled(1, { a: silent });
  const [own] = all;
  if (own === undefined) throw new Error("none was opened");
  const [first, second] = [{ writableEnded: false }, { writableEnded: false }];
  room.asked(own, first);
  room.asked(own, second);
  room.answered(own, first);
  open("early");
  room.answered(own, second);
  open("late");
  expect(closed).toEqual(["early", "a"]);
});

test("what is said about a connection that was closed is passed over", () => {
  const { room, closed, all, open } = filled(1, { a: idle });
  open("b");
  const [gone] = all;
  if (gone === undefined) throw new Error("none was opened");
  busy(room, gone);
  room.answered(gone, { writableEnded: true });
  open("c");
  expect(closed).toEqual(["a", "b"]);
});
