import type { PromptText } from "../message/prompt-text.ts";

/** Reads what a harness hands to a hook, and renders the answer it understands. Pure. */
export interface Hooks {
  parse(stdin: string, env: Readonly<Record<string, string | undefined>>): HookCall | null;
  render(
    reply: HookReply,
    event?: HookCall["event"],
  ): { readonly stdout: string; readonly stderr: string; readonly code: number };
}

export type HookCall = {
  readonly event:
    | "pre-tool"
    | "post-tool"
    | "session-start"
    | "stop"
    | "prompt"
    | "session-end"
    | "other";
  readonly sessionId: string | null;
  readonly tool: string | null;
  readonly toolUseId: string | null;
  readonly input: unknown;
  readonly response: unknown;
  readonly transcriptPath: string | null;
  /** Where the conversation works; null where the harness does not say. */
  readonly cwd: string | null;
  /** At a stop: the harness was kept from stopping before in this turn. */
  readonly again: boolean;
  /**
   * At a session's start: what was told before is still in its context; null where the harness does
   * not say.
   */
  readonly resumed: boolean | null;
};

/**
 * What a hook answers. A harness shows it to the model beside the user's words, so it is text in
 * which its program finds nothing to act on, like a prompt.
 */
export type HookReply =
  | { readonly kind: "nothing" }
  | { readonly kind: "context"; readonly text: PromptText }
  | { readonly kind: "block"; readonly reason: PromptText };
