import * as real from "fast-check";

/**
 * What test files get for "fast-check" while mutants are tried: no property runs more than `most`
 * examples, and none looks for a smaller one after it failed. So a mutant that only the thousandth
 * example notices counts as a survivor here.
 */
export const examples: { most: number } = { most: Number.POSITIVE_INFINITY };

type Parameters = { readonly numRuns?: number };

function assertProperty(property: never, parameters: Parameters = {}): unknown {
  const numRuns = Math.min(parameters.numRuns ?? 100, examples.most);
  return real.assert(property, { ...parameters, numRuns, endOnFailure: true });
}

export * from "fast-check";
export { assertProperty as assert };
const all: Omit<typeof real, "assert"> & { readonly assert: typeof assertProperty } = {
  ...real,
  assert: assertProperty,
};
export default all;
