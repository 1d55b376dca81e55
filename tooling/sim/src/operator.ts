import { createHash } from "node:crypto";
import type { ControlPayload } from "@loopwork/core";
import type { ControlVerb } from "@loopwork/core/keywords";
import { type RefText, toRefText } from "@loopwork/core/ports";
import { createMemoryStore } from "@loopwork/store/memory";
import type { World } from "./world/world.ts";

const requests: readonly [ControlVerb, ...ControlVerb[]] = [
  "stop",
  "stop",
  "pause",
  "start",
  "resume",
  "remove-collaborator",
  "add-collaborator",
];

/**
 * Somebody at the machine steers an item that is on record, as the command line does: by a delivery
 * of its own, also while no daemon runs.
 */
export async function steerHere(world: World): Promise<void> {
  const { data, random } = world;
  const [first, ...others] = [...data.items.keys()].flatMap((key) => toRefText(key) ?? []);
  if (first !== undefined)
    await askHere(world, random.pick([first, ...others]), random.pick(requests));
}

/** One request of theirs, by this machine's clock. */
export async function askHere(
  { data, random, trace, lives, wallClock }: World,
  target: RefText,
  verb: ControlVerb,
): Promise<void> {
  const payload: ControlPayload = {
    target,
    request: { verb, login: verb.endsWith("collaborator") ? "bob" : null, instance: null },
    actor: "operator",
  };
  const body = new TextEncoder().encode(JSON.stringify(payload));
  trace.say(`on the command line: ${verb} ${target}`);
  const store = createMemoryStore({ instance: "default", now: wallClock }, data);
  await store.append({
    id: random.uuid(),
    source: "cli",
    event: "control",
    verified: false,
    receivedAt: wallClock(),
    digest: createHash("sha256").update(body).digest("hex"),
    body,
    ignored: null,
    allowReplay: true,
  });
  lives.current()?.wired.dispatcher.poke();
}
