import type { HookCall, HookReply } from "@loopwork/core/ports";

/** What a harness told a hook, and what it is to be printed in answer. */
export type ToldHook = { readonly call: HookCall; readonly render: (reply: HookReply) => string };

/**
 * Reads what a hook was handed; null where no harness did. Who called stands in the input alone:
 * harness B also runs the hooks of harness A's files. Only what is printed counts, because our
 * script gives every exit code away.
 */
export async function hookCallOf(
  stdin: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ToldHook | null> {
  const [ofB, ofA] = await Promise.all([
    import("@loopwork/harness-b/hooks"),
    import("@loopwork/harness-a/hooks"),
  ]);
  const byB = ofB.parseHook(stdin);
  if (byB !== null)
    return { call: byB, render: (reply) => ofB.renderHook(reply, byB.event).stdout };
  const byA = ofA.parseHook(stdin, env);
  return byA === null
    ? null
    : { call: byA, render: (reply) => ofA.renderHook(reply, byA.event).stdout };
}
