import type { PracticeHost } from "@loopwork-tooling/practice-host";

/** What people did, and what must have come of it. */
export type Story = {
  /**
   * Words that must reach a conversation, by the number of the item, in the order in which they
   * were said.
   */
  readonly expected: ReadonlyMap<number, readonly string[]>;
  /** Words of strangers that no conversation may hear as a request. */
  readonly strangers: readonly string[];
};

export type Step = (host: PracticeHost) => Promise<void>;

/**
 * Two work items, in steps between which the service comes to rest: both are started; then one is
 * talked to, one delivery is repeated, a stranger tries to command, a request is refused aloud;
 * then the other is closed and its checkout released.
 */
export function createStory(): { readonly story: Story; readonly steps: readonly Step[] } {
  const [first, second] = [1, 2];
  const expected = new Map([
    [first, ["token-1-0-end", "token-1-1-end", "token-1-2-end"]],
    [second, ["token-2-0-end", "token-2-1-end"]],
  ]);
  const strangers = ["token-mallory-end"];
  const start: Step = async (host) => {
    for (const number of [first, second]) {
      host.openIssue({
        title: `Item ${number}`,
        body: `token-${number}-0-end`,
        labels: ["loop: auto-execute"],
        by: "ada",
      });
      host.comment(number, "loop start", "ada");
    }
    await host.idle();
  };
  const talk: Step = async (host) => {
    host.comment(first, "token-1-1-end", "ada");
    const repeated = host.deliveries().at(-1);
    host.comment(second, "loop cleanup", "mallory");
    host.comment(first, "token-1-2-end {{stub:hang 150}}", "ada");
    host.comment(second, "token-2-1-end", "ada");
    host.comment(second, "loop start token-mallory-end", "mallory");
    await host.idle();
    if (repeated !== undefined) await host.redeliver(repeated.id);
    host.comment(first, "loop resume", "ada");
    await host.idle();
  };
  const close: Step = async (host) => {
    host.closeIssue(second, "ada");
    await host.idle();
  };
  return { story: { expected, strangers }, steps: [start, talk, close] };
}
