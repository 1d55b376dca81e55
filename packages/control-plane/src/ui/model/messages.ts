/**
 * Messages of an event stream as far as they are whole; `rest` is what the next piece goes on from.
 * Comments are no messages.
 */
export function splitMessages(text: string): {
  readonly messages: readonly { readonly id: string | null }[];
  readonly rest: string;
} {
  const blocks = text.replaceAll("\r\n", "\n").split("\n\n");
  const rest = blocks.pop() ?? "";
  return {
    messages: blocks
      .filter((block) => /^data:/m.test(block))
      .map((block) => ({ id: /^id: ?(.*)$/m.exec(block)?.[1] ?? null })),
    rest,
  };
}
