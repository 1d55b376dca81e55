import { expect, test } from "vitest";
import { loadConfig } from "../../src/configuration/load-config.ts";
import { openStoreOf } from "../../src/start/open.ts";
import { createScene, type Scene } from "../support/scene.ts";

const day = 86_400_000;

/**
 * A delivery that was decided so many days ago, and whose body was dropped as soon as it could be,
 * or is kept.
 */
async function createDecided(scene: Scene, days: number, forget: boolean): Promise<void> {
  const store = await openStoreOf(loadConfig(scene.configFile, scene));
  const receivedAt = Date.now() - days * day;
  await store.append({
    id: "d-1",
    source: "webhook",
    event: "issues",
    verified: true,
    receivedAt,
    digest: "aa",
    body: Buffer.from("{}"),
    ignored: null,
  });
  const [stored] = await store.log.undecided(1);
  await store.log.decide(stored?.seq ?? 0, null, () => ({
    event: null,
    state: null,
    decision: {
      verdict: { kind: "rejected", why: "shape" },
      reason: "payload-rejected",
      effects: [],
    },
    after: null,
    key: null,
    lines: [],
    pin: null,
  }));
  if (forget) await store.log.forgetBodies(Date.now());
  await store.close();
}

test.each([
  { name: "kept", days: 3, forget: false, words: null },
  {
    name: "forgotten",
    days: 3,
    forget: true,
    words: "Its body is forgotten, as bodies are kept for 2 days (`retention.bodiesDays`)",
  },
  { name: "missing", days: 1, forget: true, words: "`loop events --delivery d-1` then shows" },
])("loop why of a delivery whose body is $name", async ({ name, days, forget, words }) => {
  const scene = createScene(
    "retention: { bodiesDays: 2, eventsDays: 3 }\nstate: { root: state }\n",
  );
  await createDecided(scene, days, forget);
  const why = await scene.loop("why", "d-1");
  expect(why).toMatchObject({
    code: 0,
    out: expect.stringContaining("The payload is invalid: a required field is missing"),
  });
  if (words === null) expect(why.out).not.toContain("Its body");
  else expect(why.out.replaceAll(/\s+/g, " ")).toContain(words);
  expect((await scene.loop("why", "d-1", "--json")).json()).toMatchObject({
    body: name,
    reason: "payload-rejected",
  });
});
