import { setTimeout as sleep } from "node:timers/promises";
import type { Input } from "./input.ts";
import { createWire } from "./wire.ts";

/** What became of an input. Times are milliseconds since 1970. */
export type Sent = {
  readonly n: number;
  readonly input: Input;
  readonly answer: string;
  readonly from: number;
  readonly to: number;
};

export type SendOptions = {
  readonly ports: { readonly receiver: number; readonly service: number };
  readonly inputOf: (n: number) => Input;
  /** Numbers from the first to before the last. */
  readonly first: number;
  readonly last: number;
  readonly connections: number;
  /** True while the service has much left to decide: then nothing is sent. */
  readonly isBehind: () => boolean;
  readonly onSent: (sent: Sent) => void;
  /** False ends it before the last. */
  readonly goesOn: () => boolean;
};

/**
 * Sends every input once, on so many connections beside each other. An input that could not be sent
 * at all counts as `refused`.
 */
export async function sendAll({
  ports,
  inputOf,
  first,
  last,
  connections,
  isBehind,
  onSent,
  goesOn,
}: SendOptions): Promise<void> {
  let next = first;
  const work = async (): Promise<void> => {
    const wire = createWire(ports);
    while (next < last && goesOn()) {
      while (isBehind() && goesOn()) await sleep(20);
      if (next >= last) break;
      const n = next++;
      const input = inputOf(n);
      const from = Date.now();
      const answer = await wire.send(input).catch(() => "refused");
      onSent({ n, input, answer, from, to: Date.now() });
    }
    wire.close();
  };
  await Promise.all(Array.from({ length: connections }, work));
}
