import { escapeHidden, escapeInline } from "@loopwork/core/ports";

/**
 * The log of a process: short sentences for the operator. Facts about deliveries and turns go to
 * the event log.
 */
export type Log = { readonly say: (level: "info" | "warn" | "error", text: string) => void };

export type LogOptions = {
  readonly format: "pretty" | "json";
  /** Least level that is written. */
  readonly level: "debug" | "info" | "warn" | "error";
  readonly write: (text: string) => void;
  /** Takes out what never stands in a line. */
  readonly redact: (text: string) => string;
};

const ranks = { debug: 0, info: 1, warn: 2, error: 3 } as const;

export function createLog({ format, level: least, write, redact }: LogOptions): Log {
  return {
    say(level, text) {
      if (ranks[level] < ranks[least]) return;
      const time = new Date().toISOString();
      const said = redact(text);
      // People wrote parts of it: nothing in a line steers a terminal, or looks like another line.
      const line =
        format === "json"
          ? escapeHidden(JSON.stringify({ time, level, text: said }))
          : `${time.slice(11, 19)} ${level === "info" ? "" : `${level}: `}${oneLine(said)}`;
      write(`${line}\n`);
    },
  };
}

function oneLine(text: string): string {
  return escapeInline(text, Number.POSITIVE_INFINITY);
}
