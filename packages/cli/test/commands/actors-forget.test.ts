import { expect, test } from "vitest";
import { loadConfig } from "../../src/configuration/load-config.ts";
import { openStoreOf } from "../../src/start/open.ts";
import { createWorld, type World } from "../support/world.ts";

/** Pins ada's login to an account that she does not have any more. */
async function pinElsewhere(world: World): Promise<void> {
  const store = await openStoreOf(loadConfig(world.scene.configFile, world.scene));
  await store.append({
    id: "d-1",
    source: "webhook",
    event: "issues",
    verified: true,
    receivedAt: Date.now(),
    digest: "aa",
    body: Buffer.from("{}"),
    ignored: null,
  });
  const [stored] = await store.log.undecided(1);
  await store.log.decide(stored?.seq ?? 0, null, () => ({
    event: null,
    state: null,
    decision: { verdict: { kind: "noted" }, reason: "armed", effects: [] },
    after: null,
    key: null,
    lines: [],
    pin: { login: "ada", id: "999999" },
  }));
  await store.close();
}

test(
  "P08 loop actors forget: somebody with a new account is dropped, says why, and is heard again once a person vouches for them",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    await pinElsewhere(world);
    const service = await world.start();
    const number = world.startIssue();
    const dropped = await service.event(
      "delivery.decided",
      ({ reason, fields }) => reason === "actor-id-mismatch" && fields["event"] === "issue_comment",
    );
    expect(
      (await world.scene.loop("why", dropped.delivery ?? "")).out.replaceAll(/\s+/g, " "),
    ).toContain("run `loop actors forget` with the login");

    expect(await world.scene.loop("actors", "forget", "@Ada")).toMatchObject({
      code: 0,
      out: expect.stringContaining("Forgot account 999999 of @Ada"),
    });
    expect(await service.event("actor.forgotten")).toMatchObject({
      reason: "command-line",
      fields: { login: "Ada", number: "999999" },
    });
    expect(await world.scene.loop("actors", "forget", "ada")).toMatchObject({
      code: 1,
      out: expect.stringContaining("No account on record for @ada"),
    });

    world.host.comment(number, "loop start", "ada");
    await service.event(
      "delivery.decided",
      ({ fields }) => fields["event"] === "issue_comment" && fields["verdict"] !== "ignored",
    );
    expect(await service.parts.store.items.pinnedActor("ada")).not.toBeNull();
  },
);
