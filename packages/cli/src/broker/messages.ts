import type { ChildIdentity, GitPlan } from "@loopwork/core/ports";
import type { Exit, StartPlan } from "../processes/start-child.ts";
import type { Ran, TmuxCommand } from "../terminal/run-tmux.ts";

/**
 * What the broker is asked; `id` names a child, or a question, from the asking on, and is never
 * used again in the life of a broker.
 */
export type Asked =
  | { readonly kind: "start"; readonly id: number; readonly plan: StartPlan }
  | { readonly kind: "write"; readonly id: number; readonly text: string }
  | { readonly kind: "end-input"; readonly id: number }
  | { readonly kind: "git"; readonly id: number; readonly plan: GitPlan }
  | { readonly kind: "tmux"; readonly id: number; readonly command: TmuxCommand }
  | { readonly kind: "ping" };

/**
 * What it says. `ready` comes first and once; `written` answers writes to one child in their order.
 */
export type Said =
  | { readonly kind: "ready" }
  | { readonly kind: "pong" }
  | { readonly kind: "started"; readonly id: number; readonly identity: ChildIdentity }
  | {
      readonly kind: "refused";
      readonly id: number;
      readonly code: string | null;
      readonly message: string;
    }
  | { readonly kind: "written"; readonly id: number }
  | { readonly kind: "exited"; readonly id: number; readonly exit: Exit }
  | { readonly kind: "git-printed"; readonly id: number; readonly printed: Uint8Array }
  | { readonly kind: "tmux-ran"; readonly id: number; readonly ran: Ran | "silent" };

/** Whether nothing more comes under this id. */
export function isLast({ kind }: Said): boolean {
  return kind === "exited" || kind === "refused" || kind === "git-printed" || kind === "tmux-ran";
}
