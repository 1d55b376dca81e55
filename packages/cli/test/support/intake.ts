import type { Turn } from "@loopwork/core/ports";
import { createPoll } from "@loopwork/codehost/poller";
import { until } from "./until.ts";
import type { Service, World } from "./world.ts";

/** The two ways in which a service hears of the code host. */
export const intakes = ["webhook", "poll"] as const;
export type Intake = (typeof intakes)[number];

/**
 * A service that hears by one of them; `told` resolves once all that happened on the host is
 * decided and no turn runs.
 */
export type Listening = {
  readonly service: Service;
  told(): Promise<void>;
  /** Reason of the newest decision about a comment or pull request that the test can tell by its fields. */ reasons(): Promise<
    readonly string[]
  >;
};

/** Turns that nothing holds and that have yet to run. */
async function waiting({ parts: { store }, turns }: Service): Promise<readonly Turn[]> {
  const held = new Set(
    (await store.items.list()).flatMap(({ lanes }) =>
      lanes.filter(({ hold }) => hold !== null).map(({ endpoint }) => endpoint),
    ),
  );
  return (await turns()).filter(({ state, lane }) => state === "ready" && !held.has(lane));
}

/** Starts the service of a world with one intake alone: whoever polls gets no webhook. */
export async function listen(
  world: World,
  intake: Intake,
  token: string | null = "practice-agent",
): Promise<Listening> {
  const service = await world.start();
  if (intake === "poll") world.host.aim(null);
  const { store, settings } = service.parts;
  const poll = createPoll(
    { host: new URL(world.host.url).host, apiBaseUrl: world.host.apiUrl, token },
    {
      inbox: store,
      cursors: store.cursors,
      items: () => store.items.list(),
      settings: () => ({
        repositories: ["practice/garden"],
        autoExecuteLabel: settings().policy.autoExecuteLabel,
      }),
      now: Date.now,
    },
  );
  return {
    service,
    async told() {
      await world.host.idle();
      if (intake === "poll") {
        const { repositories } = await poll();
        for (const { failure } of repositories)
          if (failure !== null) throw new Error(failure.message);
      }
      service.dispatcher.poke();
      await until(
        async () =>
          (await store.stats()).undecided === 0 &&
          (await service.turns()).every(({ state }) => state !== "injecting") &&
          (await waiting(service)).length === 0,
        "the end of all work",
        async () => JSON.stringify(await service.events(), null, 1),
      );
    },
    reasons: async () =>
      (await service.events("delivery.decided")).map(({ reason }) => reason ?? ""),
  };
}
