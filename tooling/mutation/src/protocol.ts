/**
 * What a test costs with no mutant on: time, steps (places with a mutant that it passed), and which
 * places. `whole`: it counts what its examples came to, and passes only with as many examples as it
 * asks for. `clock`: it asked for the time.
 */
export type TestCost = {
  readonly name: string;
  readonly ms: number;
  readonly steps: number;
  readonly reached: readonly string[];
  readonly whole: boolean;
  readonly clock: boolean;
  readonly failure: string | null;
};

/**
 * A test file: which tests it holds, and which places it reaches while they are only written down,
 * such as for their tables.
 */
export type FileCost = {
  readonly first: number;
  readonly count: number;
  readonly steps: number;
  readonly reached: readonly string[];
};

/** A test to run for at most `limit` steps. */
export type Run = { readonly index: number; readonly limit: number };

/** A file to load anew, and tests of it to run then. */
export type Reload = {
  readonly file: number;
  readonly limit: number;
  readonly runs: readonly Run[];
};

/** What the parent asks of a worker. */
export type Request =
  | { readonly kind: "survey" }
  | {
      readonly kind: "try";
      readonly id: string;
      readonly tests: readonly Run[];
      readonly reloads: readonly Reload[];
    };

/**
 * `spoilt`: the process keeps something of the mutant (the test that noticed it still fails with it
 * off), or has grown too large.
 */
export type Tried = {
  readonly kind: "tried";
  readonly id: string;
  readonly fate: "killed" | "timeout" | "survived";
  readonly by: number | null;
  readonly spoilt: boolean;
};
export type Survey = {
  readonly kind: "survey";
  readonly tests: readonly TestCost[];
  readonly files: readonly FileCost[];
  readonly atLoad: readonly string[];
};
export type Answer = { readonly kind: "ready"; readonly tests: number } | Survey | Tried;
