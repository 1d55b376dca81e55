import type { HookReply } from "@loopwork/core/ports";
import { hookCallOf } from "../start/parse-hook-call.ts";
import type { Ports } from "../ports/command-ports.ts";

/** Events that say more than how a conversation in a terminal goes on. */
export type AnsweredEvent = "post-tool" | "session-start" | "stop";

/** What a harness is answered to a hook; empty where there is nothing to say. */
export async function answerHook(
  event: AnsweredEvent,
  stdin: string,
  ports: Ports,
): Promise<string> {
  if (event === "post-tool" && !signs.some((sign) => stdin.includes(sign))) return "";
  const told = await hookCallOf(stdin, ports.io.env);
  if (told === null) return "";
  return told.render(await replies[event](told.call, ports));
}

/**
 * Most calls of tools neither post nor open anything; those must cost no more than the look that
 * finds that out.
 */
const signs = ["issuecomment-", "discussion_r", "pullrequestreview-", "/pull/", "/pulls/"];

type Replies = Readonly<
  Record<
    AnsweredEvent,
    (
      call: NonNullable<Awaited<ReturnType<typeof hookCallOf>>>["call"],
      ports: Ports,
    ) => Promise<HookReply>
  >
>;

const replies: Replies = {
  async "post-tool"(call, ports) {
    const [{ tellPosts }, { recordOpened }] = await Promise.all([
      import("./tell-posts.ts"),
      import("./record-opened.ts"),
    ]);
    const [text] = await Promise.all([recordOpened(call, ports), tellPosts(call, ports)]);
    return text === null ? nothing : context(text);
  },
  async "session-start"(call, ports) {
    const [{ remind }, { tellNotes }] = await Promise.all([
      import("./session-start-reminder.ts"),
      import("./tell-notes.ts"),
    ]);
    const told = (await Promise.all([remind(call, ports), tellNotes(call, ports)])).filter(
      (text) => text !== null,
    );
    return told.length === 0 ? nothing : context(told.join("\n\n"));
  },
  async stop(call, ports) {
    const reason = await (await import("./stop-gate.ts")).reasonToGoOn(call, ports);
    return reason === null ? nothing : { kind: "block", reason };
  },
};

/** Loaded late: most calls have nothing to say. */
async function context(text: string): Promise<HookReply> {
  const { promptText } = await import("@loopwork/core/ports");
  return { kind: "context", text: promptText(text) };
}

const nothing: HookReply = { kind: "nothing" };
