/** The log of a process: short sentences for the operator. Facts about deliveries and turns go to the event log. */
export type Log = { readonly say: (level: "info" | "warn" | "error", text: string) => void };

/** `secrets` are values that never stand in a line. */
export function createLog(format: "pretty" | "json", write: (text: string) => void, secrets: readonly string[]): Log {
  const hide = (text: string): string => secrets.reduce((shown, secret) => (secret.length < 4 ? shown : shown.replaceAll(secret, "***")), text);
  return {
    say(level, text) {
      const time = new Date().toISOString();
      write(format === "json" ? `${JSON.stringify({ time, level, text: hide(text) })}\n` : `${time.slice(11, 19)} ${level === "info" ? "" : `${level}: `}${hide(text)}\n`);
    },
  };
}
