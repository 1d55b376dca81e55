import { createLife } from "./life.ts";
import { type Service, startService } from "./service.ts";
import type { World } from "./world.ts";

/** One life of the daemon after another. */
export type Lives = {
  /** The service that is up; null between two lives. */
  current(): Service | null;
  begin(): void;
  /** Ends the present life in order: turns that run get their grace, as at `loop stop`. */
  stopGently(): void;
  count(): number;
};

/** Steps of a life after which a crash comes at the latest. */
const longestLife = 700;

export function createLives(worldOf: () => World): Lives {
  let current: Service | null = null;
  let [lives, crashes] = [0, 0];

  const begin = (): void => {
    const { scheduler, random, trace, trouble, machine } = worldOf();
    const crashAt = crashes < trouble.crashes ? random.int(1, longestLife) : null;
    let steps = 0;
    lives += 1;
    trace.say(`life ${lives} begins`);
    const life = createLife({
      number: lives,
      scheduler,
      random,
      trace,
      jitter: trouble.jitter,
      diesAt() {
        steps += 1;
        if (crashAt === null || steps < crashAt || worldOf().trouble.crashes === 0) return false;
        crashes += 1;
        return true;
      },
      onDeath() {
        current = null;
        machine.lifeEnded(life);
        if (random.chance(worldOf().trouble.powerCuts)) machine.powerCut();
        scheduler.after(random.int(10, 20_000), begin);
      },
    });
    void startService(life, worldOf()).then(
      (service) => void (life.alive() && (current = service)),
      worldOf().fault,
    );
  };

  return {
    current: () => current,
    begin,
    stopGently() {
      const ending = current;
      if (ending === null) return;
      worldOf().trace.say("asked to stop");
      void ending.unwind.run().then(() => ending.life.die());
    },
    count: () => lives,
  };
}
