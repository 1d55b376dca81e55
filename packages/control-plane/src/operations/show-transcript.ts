import { formatRef, LoopError, type RefText, type TranscriptEntry } from "@loopwork/core/ports";
import { z } from "zod";
import { cut, numberOf, type Page, pageOf, paging } from "../shapes/page.ts";
import { instant, refInput, writtenByAnyone } from "../shapes/words.ts";
import { refText } from "../shapes/work-item.ts";
import { defineOperation, type Operation } from "./operation.ts";

type Transcript = {
  readonly endpoint: RefText;
  readonly harnessSessionId: string;
  readonly entries: Page<TranscriptEntry>;
};

const entry: z.ZodType<TranscriptEntry> = z.object({
  at: instant.nullable(),
  who: z.enum(["prompt", "agent", "tool"]),
  text: writtenByAnyone,
});
const transcript: z.ZodType<Transcript> = z.object({
  endpoint: refText,
  harnessSessionId: z.string(),
  entries: pageOf(entry),
});

/**
 * For people alone: what an agent read with its tools stands in it, strangers' words among that.
 */
export const showTranscript: Operation = defineOperation({
  name: "show-transcript",
  summary: "the conversation of a work item's session as readable text, newest first",
  kind: "read",
  route: { method: "get", path: "/work-items/{ref}/transcript" },
  tool: false,
  input: z.strictObject({
    ref: refInput,
    endpoint: refInput
      .optional()
      .meta({ description: "pull request whose own session is meant; else the work item's" }),
    ...paging,
  }),
  output: transcript,
  async run({ ref, endpoint, cursor, limit }, { records, steering, transcript: read }) {
    const workItem = formatRef(await steering.ref(ref));
    const lane = endpoint === undefined ? workItem : formatRef(await steering.ref(endpoint));
    const session = (await records.items.load(workItem)).sessions.find(
      (each) => each.endpoint === lane,
    );
    const all = session === undefined ? null : await read(session);
    if (session === undefined || all === null)
      throw new LoopError(
        "LOOP_E_NO_TRANSCRIPT",
        `No readable conversation of ${lane}`,
        "List the sessions with `GET …/sessions`. Cursor's transcripts can't be read.",
      );
    const end = numberOf(cursor) ?? all.length + 1;
    const numbered = all
      .map((each, index) => ({ ...each, number: index + 1 }))
      .filter(({ number }) => number < end)
      .toReversed();
    return {
      endpoint: lane,
      harnessSessionId: session.harnessSessionId,
      entries: cut(
        numbered.slice(0, limit + 1),
        limit,
        ({ number }) => number,
        (each) => each,
      ),
    };
  },
});
