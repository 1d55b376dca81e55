/**
 * What a command returns: it never prints. `data` is what `--json` shows, `view`
 * what a person reads.
 */
export type Result = {
  /** 0 yes or done, 1 no or not done, 2 could not run. */
  readonly exit: 0 | 1 | 2;
  readonly data: unknown;
  readonly view: readonly Block[];
  /**
   * For commands that go on: each item is printed as it comes, before the process exits with
   * `exit`.
   */
  readonly follow?: AsyncIterable<{ readonly data: unknown; readonly view: readonly Block[] }>;
};

/** The few shapes that output on a terminal has. */
export type Block =
  | { readonly kind: "line"; readonly text: string; readonly tone?: Tone }
  | { readonly kind: "heading"; readonly text: string }
  | {
      readonly kind: "fields";
      readonly rows: readonly (readonly [label: string, value: string, tone?: Tone])[];
    }
  | {
      readonly kind: "table";
      readonly columns: readonly string[];
      readonly rows: readonly (readonly string[])[];
      readonly empty: string;
    }
  | { readonly kind: "verbatim"; readonly text: string };

export type Tone = "good" | "warn" | "bad" | "dim";

export function done(data: unknown, ...view: readonly Block[]): Result {
  return { exit: 0, data, view };
}

export function line(text: string, tone?: Tone): Block {
  return tone === undefined ? { kind: "line", text } : { kind: "line", text, tone };
}
