/** The log of a process: short sentences for the operator. Facts about deliveries and turns go to the event log. */
export type Log = { readonly say: (level: "info" | "warn" | "error", text: string) => void };

export type LogOptions = {
  readonly format: "pretty" | "json";
  /** Least level that is written. */
  readonly level: "debug" | "info" | "warn" | "error";
  readonly write: (text: string) => void;
  /** Values that never stand in a line. */
  readonly secrets: readonly string[];
};

const ranks = { debug: 0, info: 1, warn: 2, error: 3 } as const;

export function createLog({ format, level: least, write, secrets }: LogOptions): Log {
  const hide = (text: string): string => secrets.reduce((shown, secret) => (secret.length < 4 ? shown : shown.replaceAll(secret, "***")), text);
  return {
    say(level, text) {
      if (ranks[level] < ranks[least]) return;
      const time = new Date().toISOString();
      write(format === "json" ? `${JSON.stringify({ time, level, text: hide(text) })}\n` : `${time.slice(11, 19)} ${level === "info" ? "" : `${level}: `}${hide(text)}\n`);
    },
  };
}
