import { connect, type Socket } from "node:net";
import { createPool, type Pool } from "./pool.ts";

/** One measurement, as the benchmark asks for it. */
export type Shot = {
  readonly port: number;
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
};
/**
 * `marks` are sent when warming up and when measuring has ended, so that the server's time can be
 * read at both.
 */
export type ShotResult = {
  readonly requests: number;
  readonly bad: number;
  readonly elapsedMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuShare: number;
};
export type FromGenerator =
  | { readonly kind: "ready"; readonly bodyBytes: number }
  | { readonly kind: "warm" }
  | { readonly kind: "result"; readonly result: ShotResult };

type Tally = {
  latencies: Float64Array;
  requests: number;
  bad: number;
  measuring: boolean;
  stopping: boolean;
  next: number;
};

const secret = process.argv[2] ?? "";
const pool = createPool(secret, Number(process.argv[3] ?? 0));
process.on(
  "message",
  (shot: Shot) => void run(pool, shot).then((result) => tell({ kind: "result", result })),
);
process.on("disconnect", () => process.exit());
tell({ kind: "ready", bodyBytes: pool.bodyBytes });

/** Keeps every connection busy with one request at a time; warms up, measures, stops. */
async function run(pool: Pool, shot: Shot): Promise<ShotResult> {
  const tally: Tally = {
    latencies: new Float64Array(4_000_000),
    requests: 0,
    bad: 0,
    measuring: false,
    stopping: false,
    next: 0,
  };
  const done = Promise.all(
    Array.from({ length: shot.connections }, () => drive(pool, shot.port, tally)),
  );
  await wait(shot.warmUpMs);
  tell({ kind: "warm" });
  const cpu = process.cpuUsage();
  const start = performance.now();
  tally.measuring = true;
  await wait(shot.measureMs);
  tally.measuring = false;
  const elapsedMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  tally.stopping = true;
  await done;
  const sorted = tally.latencies.subarray(0, tally.requests).toSorted();
  return {
    requests: tally.requests,
    bad: tally.bad,
    elapsedMs,
    p50Ms: at(sorted, 0.5),
    p99Ms: at(sorted, 0.99),
    cpuShare: (user + system) / 1000 / elapsedMs,
  };
}

/** One connection: sends, waits for the whole answer, sends the next. */
function drive(pool: Pool, port: number, tally: Tally): Promise<void> {
  return new Promise((resolve) => {
    const request = pool.request("/host-webhook");
    const socket: Socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let sentAt = 0;
    let partial = "";

    function send(): void {
      if (tally.stopping) return void socket.end();
      request.become(tally.next);
      tally.next += 1;
      sentAt = performance.now();
      socket.write(request.bytes);
    }

    socket.on("connect", send);
    socket.on("data", (chunk: Buffer) => {
      partial += chunk.toString("latin1");
      const status = statusOfWhole(partial);
      if (status === null) return;
      partial = "";
      if (tally.measuring) {
        tally.latencies[tally.requests] = performance.now() - sentAt;
        tally.requests += 1;
        if (status < 200 || status > 299) tally.bad += 1;
      }
      send();
    });
    socket.on("error", () => {
      tally.bad += 1;
    });
    socket.on("close", () => resolve());
  });
}

/** Status of an answer that is there as a whole; null for a part of one. */
function statusOfWhole(text: string): number | null {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd === -1) return null;
  const head = text.slice(0, headEnd).toLowerCase();
  const lengthAt = head.indexOf("\r\ncontent-length:");
  const isWhole =
    lengthAt === -1
      ? !head.includes("chunked") || text.endsWith("0\r\n\r\n")
      : text.length >= headEnd + 4 + Number.parseInt(head.slice(lengthAt + 17), 10);
  return isWhole ? Number(text.slice(9, 12)) : null;
}

function at(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function tell(message: FromGenerator): void {
  process.send?.(message);
}
