import type { VNode } from "preact";
import type { Unanswered } from "../api/ask.ts";
import { Words } from "./text.tsx";

/** Why nothing, or nothing new, is shown. */
export function Trouble({
  trouble,
  stale,
}: {
  readonly trouble: Unanswered | null;
  readonly stale: boolean;
}): VNode {
  if (trouble === null) return <div role="status" />;
  return (
    <div role="status" class="trouble">
      <p>
        <strong>{trouble.message}</strong> <Words say={trouble.hint} />
        {stale && " What stands below is what it said last."}
      </p>
    </div>
  );
}
