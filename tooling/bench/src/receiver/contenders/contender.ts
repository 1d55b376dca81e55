/** What each contender is started with, as JSON in its first argument. */
export type ContenderSettings = {
  readonly secret: string;
  /** Empty folder of its own, on a real file system. */
  readonly directory: string;
  /** Wait after each commit, in microseconds: stands for a slower disk. */
  readonly flushDelayUs: number;
};

export function readSettings(): ContenderSettings {
  const given: unknown = JSON.parse(process.argv[2] ?? "null");
  if (
    typeof given !== "object" ||
    given === null ||
    !("secret" in given) ||
    !("directory" in given) ||
    !("flushDelayUs" in given)
  )
    throw new Error("a contender is started by the benchmark, with its settings");
  return {
    secret: String(given.secret),
    directory: String(given.directory),
    flushDelayUs: Number(given.flushDelayUs),
  };
}

/** Tells the benchmark where deliveries go. */
export function announce(port: number): void {
  process.stdout.write(`ready ${port}\n`);
}
