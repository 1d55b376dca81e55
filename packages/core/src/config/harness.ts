export type HarnessId = "A" | "B";

/**
 * How a harness is run: as a child that ends with its turn, or in a terminal to which people can
 * attach.
 */
export type Runner = "headless" | "tmux";
