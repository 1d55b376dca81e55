import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { commented, issueOpened, type Signed, type Stage, token } from "./payloads.ts";

/** What was acknowledged and must therefore be worked on, each in the order of its lane. */
export type Load = {
  readonly acknowledged: () => number;
  /** Ids of what was acknowledged. */
  readonly taken: () => readonly string[];
  /** Tokens that must reach their session, by lane. */
  readonly expected: () => ReadonlyMap<number, readonly string[]>;
  /** Sends nothing more; resolves when what is under way was answered or failed. */
  stop(): Promise<void>;
};

export type LoadOptions = {
  readonly stage: Stage;
  readonly url: string;
  readonly lanes: number;
  readonly random: () => number;
  readonly repeatShare: number;
  readonly pauseMs: number;
};

/**
 * Sends deliveries as a host does: one after the other for each item, each until it was answered,
 * some of them again under the same id. Ids come from `randomUUID`, all choices from the seed.
 */
export function startLoad(options: LoadOptions): Load {
  const expected = new Map<number, string[]>();
  const taken = new Set<string>();
  let acknowledged = 0;
  let running = true;

  async function lane(number: number): Promise<void> {
    const { stage, random } = options;
    await acknowledge(issueOpened(stage, number, randomUUID()));
    await acknowledge(commented(stage, number, number * 1_000_000, "loop start", randomUUID()));
    const tokens: string[] = [];
    expected.set(number, tokens);
    for (let count = 1; running; count++) {
      const words = token(number, count);
      // Some turns outlive the daemon and its next start, so that a life meets children of the one
      // before.
      const hang = Math.floor(random() < 0.2 ? 2_000 + random() * 3_000 : random() * 200);
      const sent = commented(
        stage,
        number,
        number * 1_000_000 + count,
        `${words} {{stub:hang ${hang}}}`,
        randomUUID(),
      );
      // Not yet acknowledged work may be lost; what was begun to be sent and then acknowledged may
      // not.
      if (await acknowledge(sent)) tokens.push(words);
      if (random() < options.repeatShare) await acknowledge(sent);
      await sleep(options.pauseMs * (0.5 + random()));
    }
  }

  /** False only when the run ended before an answer came. */
  async function acknowledge(delivery: Signed): Promise<boolean> {
    for (;;) {
      const status = await post(options.url, delivery).catch(() => 0);
      if (status === 202) {
        acknowledged++;
        taken.add(delivery.id);
        return true;
      }
      if (status !== 0 && status !== 503)
        throw new Error(`the receiver answered ${status} to a good delivery`);
      if (!running) return false;
      await sleep(30);
    }
  }

  const lanes = Promise.all(Array.from({ length: options.lanes }, (_, i) => lane(i + 1)));
  lanes.catch(() => {});
  return {
    acknowledged: () => acknowledged,
    taken: () => [...taken],
    expected: () => expected,
    async stop() {
      running = false;
      await lanes;
    },
  };
}

/** One delivery on a connection of its own, so that a killed receiver is noticed at once. */
export function post(url: string, { id, event, body, signature }: Signed): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "x-host-event": event,
      "x-host-delivery": id,
      "x-host-signature-256": signature,
    };
    const sent = request(
      url,
      { method: "POST", headers, agent: false, timeout: 5_000 },
      (response) => {
        response.resume();
        response.on("end", () => resolve(response.statusCode ?? 0));
        response.on("error", reject);
      },
    );
    sent.on("timeout", () => sent.destroy(new Error("no answer")));
    sent.on("error", reject);
    sent.end(body);
  });
}
