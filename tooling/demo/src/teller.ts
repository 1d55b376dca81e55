/**
 * Tells the story: chapters of what a person does, lines of what the service does, each with the
 * time since the start.
 */
export type Teller = {
  /** Somebody does something. */
  chapter(text: string): void;
  /** What followed, as the service's own event log says it. */
  line(text: string): void;
  fact(label: string, value: string): void;
  end(lines: readonly string[]): void;
  failed(why: string, lastWords: readonly string[]): void;
};

export function createTeller(out: { write(text: string): unknown }, color: boolean): Teller {
  const started = performance.now();
  const paint = (code: string, text: string): string =>
    color ? `\u001b[${code}m${text}\u001b[0m` : text;
  const since = (): string =>
    paint("2", `${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s`);
  const say = (text: string): void => void out.write(`${text}\n`);
  return {
    chapter: (text) => say(`\n${since()}  ${paint("1", `▸ ${text}`)}`),
    line: (text) => say(`${since()}    ${text}`),
    fact: (label, value) => say(`         ${paint("2", label.padEnd(11))} ${value}`),
    end: (lines) => say(`\n${lines.join("\n")}`),
    failed: (why, lastWords) =>
      say(
        [
          `\n${paint("31", `The story broke off: ${why}`)}`,
          ...lastWords.map((line) => paint("2", `  ${line}`)),
        ].join("\n"),
      ),
  };
}
