/**
 * What a test costs with no mutant on: time, steps (places with a mutant that it passed), and which places. `whole`: it
 * counts what its examples came to, and passes only with as many examples as it asks for. `clock`: it asked for the time.
 */
export type TestCost = { readonly name: string; readonly ms: number; readonly steps: number; readonly reached: readonly string[]; readonly whole: boolean; readonly clock: boolean; readonly failure: string | null };

/** A test to run for at most `limit` steps. */
export type Run = { readonly index: number; readonly limit: number };

export type Request = { readonly kind: "survey" } | { readonly kind: "try"; readonly id: string; readonly tests: readonly Run[] };

/** `spoilt`: the test that noticed the mutant still fails with the mutant off, so the process keeps something of it. */
export type Tried = { readonly kind: "tried"; readonly id: string; readonly fate: "killed" | "timeout" | "survived"; readonly by: number | null; readonly spoilt: boolean };
export type Survey = { readonly kind: "survey"; readonly tests: readonly TestCost[]; readonly atLoad: readonly string[] };
export type Answer = { readonly kind: "ready"; readonly tests: number } | Survey | Tried;
