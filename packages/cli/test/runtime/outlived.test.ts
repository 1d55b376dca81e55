import { expect, test } from "vitest";
import type { ControlStatus, Session } from "@loopwork/core";
import { itemOf, sessionOf } from "@loopwork/core/testing";
import { outlivesItsSession } from "../../src/runtime/turn/settle.ts";
import { createWorld } from "../support/world.ts";

test.each<[string, number, ControlStatus, Session["status"] | null, boolean]>([
  ["tried before, and stopped meanwhile", 1, "stopped", "closed", true],
  ["its session is not on record any more", 2, "closed", null, true],
  ["never tried: a stop drops those itself", 0, "stopped", "closed", false],
  ["started again", 1, "started", "closed", false],
  ["paused", 1, "paused", "closed", false],
  ["a session that somebody registered on a stopped item", 1, "stopped", "active", false],
])("S05 a turn that is over with its session: %s", async (_name, attempts, status, session, over) => {
  const world = await createWorld();
  const service = await world.start();
  world.startIssue("{{stub:text done}}");
  await service.event("turn.done");
  const [turn] = await service.turns();
  if (turn === undefined) throw new Error("there is no turn");
  const sessions = session === null ? [] : [sessionOf({ endpoint: turn.lane, status: session })];
  expect(outlivesItsSession({ turn: { ...turn, attempts }, item: itemOf(status, { sessions }), lease: { lane: turn.lane, owner: "default", fence: 1 } })).toBe(over);
});
