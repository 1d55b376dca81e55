import fc from "fast-check";

/**
 * Set-up of every suite with properties: one seed for all, so that a clone that passes today passes
 * tomorrow. `LOOP_TEST_SEED=random` looks for new examples, `LOOP_TEST_SEED=<number>` repeats a
 * failure that fast-check reported.
 */
const chosen = process.env["LOOP_TEST_SEED"] ?? "1";
if (chosen !== "random")
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number.parseInt(chosen, 10) });
