import { CodeHostError, type OutboxEntry, verbatimPost } from "@loopwork/core/ports";
import { describe, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { createWorld, type World } from "../support/world.ts";

const foreign = `gh${"p_"}${"aB3".repeat(12)}`;
/**
 * What nobody may read: a token of somebody, and the service's own two secrets (see
 * support/world.ts).
 */
const leak = `keys ${foreign} practice-agent practice-secret`;
const clean = "keys [redacted] [redacted LOOP_HOST_TOKEN] [redacted LOOP_HOST_WEBHOOK_SECRET]";

const posted = (world: World, number: number): readonly string[] =>
  world.host
    .issue(number)
    .comments.filter(({ author }) => author.login === "loop-agent")
    .map(({ body }) => body);
const said = (bodies: readonly string[]): readonly string[] =>
  bodies.map((body) => body.split("\n")[0] ?? "");

describe("P17: no secret is posted, and the marker is bound to the words that are", () => {
  test(
    "by `loop comment` and `loop ask` of a turn; the question that is kept to be shown holds none either",
    { timeout: 90_000 },
    async () => {
      const world = await createWorld();
      const service = await world.start();
      const number = world.startIssue(
        `{{stub:bash loop comment ${leak}}} {{stub:bash loop ask ${leak}}} {{stub:text asked}}`,
      );
      await service.event("turn.done");
      const bodies = posted(world, number);
      expect(said(bodies)).toEqual([clean, clean]);
      expect(bodies.map((body) => service.parts.marks.isOurs(body))).toEqual([true, true]);
      expect(
        (await service.parts.store.items.load(world.ref(number))).sessions[0]?.asked?.text,
      ).toBe(clean);
    },
  );

  test(
    "by `loop comment` of a person, and by a reply of the service",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const leaking = ({ effect, ...entry }: OutboxEntry): OutboxEntry => ({
        ...entry,
        effect: effect.kind === "reply" ? { ...effect, text: verbatimPost(leak) } : effect,
      });
      const service = await world.start((parts) => ({
        ...parts,
        store: {
          ...parts.store,
          outbox: {
            ...parts.store.outbox,
            due: async (now, limit) => (await parts.store.outbox.due(now, limit)).map(leaking),
          },
        },
      }));
      const { number } = world.host.openIssue({
        title: "Not labelled",
        body: "x",
        labels: [],
        by: "ada",
      });
      expect(await world.scene.loop("comment", leak, "--on", world.ref(number))).toMatchObject({
        code: 0,
      });
      world.host.comment(number, "loop start", "ada");
      await until(
        () => posted(world, number).length > 1,
        "the reply",
        () => service.said.join("\n"),
      );
      const bodies = posted(world, number);
      expect(said(bodies)).toEqual([clean, clean]);
      expect(bodies.map((body) => service.parts.marks.isOurs(body))).toEqual([true, true]);
    },
  );
});

test("P17: details in the event log hold no secret", { timeout: 60_000 }, async () => {
  const world = await createWorld();
  const service = await world.start((parts) => ({
    ...parts,
    host: {
      ...parts.host,
      comment: () => Promise.reject(new CodeHostError("LOOP_E_HOST_REFUSED", leak)),
    },
  }));
  world.startIssue("{{stub:bash loop comment hello}}");
  expect((await service.event("host.failed")).fields["detail"]).toBe(clean);
});
