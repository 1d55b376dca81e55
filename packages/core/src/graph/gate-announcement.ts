import type { Effect } from "../decide/effect.ts";
import { commitId } from "../event/fields.ts";
import { joinMessages, type Message, trustedWords, person, say } from "../message/message.ts";
import { outside } from "../message/outside-text.ts";
import { formatPost } from "../message/post.ts";
import type { Ref } from "../ref/ref.ts";
import type { Heard } from "./hear.ts";
import { nodeOf } from "./model.ts";
import {
  type ConfiguredGraph,
  filesOf,
  lackWords,
  type GraphProgress,
  progressAt,
} from "./progress.ts";
import type { Announcement } from "../work-item/graph-record.ts";

/**
 * What is to be told of a gate. `loose`: something stands in the checkout that is not committed;
 * `unpushed`: commits that are nowhere else.
 */
export type Asked = {
  readonly heard: Heard;
  readonly open: Announcement | null;
  readonly isNew: boolean;
  readonly loose: boolean;
  readonly unpushed: readonly string[];
};

/**
 * The thread is told of a gate that was not announced as it is, and of an answer that is not taken;
 * of both in one comment.
 */
export function gateReply(
  workItem: Ref,
  node: string,
  { heard, open, isNew, loose, unpushed }: Asked,
  progress: GraphProgress | null,
  graph: ConfiguredGraph,
): readonly Effect[] {
  const refused =
    heard.kind === "not-taken" && heard.why !== "no-such-node" && heard.why !== "not-optional"
      ? [say`The answer of ${person(heard.by)} is not taken: ${trustedWords(heard.words)}.`]
      : [];
  const waits =
    refused.length > 0 ? [say`As soon as there is something to approve, this thread is told.`] : [];
  const asks =
    open !== null && (isNew || refused.length > 0)
      ? [
          joinMessages(
            [
              heading(node, progress, graph),
              ...covered(node, graph),
              ...(loose ? [say`Not everything that stands there is committed.`] : []),
              ...away(unpushed),
              how,
            ],
            say` `,
          ),
        ]
      : waits;
  const said = [...refused, ...asks];
  return said.length === 0
    ? []
    : [{ kind: "reply", thread: workItem, text: formatPost(joinMessages(said, say` `)), node }];
}

/** Sentences of what the node lacks; none where nobody could look. */
export function lacksAt(progress: GraphProgress | null, node: string): readonly string[] {
  return progress === null ? [] : (progressAt(progress, node)?.lacks ?? []).map(({ text }) => text);
}

const how = say`To approve what stands there now, write a comment whose first line is \`approved\`, or approve the pull request in a review; to ask for changes, say what.`;

function heading(
  node: string,
  progress: GraphProgress | null,
  { definition }: ConfiguredGraph,
): Message {
  const lacks = progress === null ? [] : (progressAt(progress, node)?.lacks ?? []);
  return say`**${trustedWords(nodeOf(definition, node)?.title ?? node)}**: ${joinMessages(lacks.map(lackWords), say`; `)}.`;
}

/** An answer about single files says nothing of the work beside them. */
function covered(id: string, { definition }: ConfiguredGraph): readonly Message[] {
  const node = nodeOf(definition, id);
  return node?.scope === "node"
    ? [
        say`An answer here is about ${trustedWords(filesOf(node, "node", definition).join(", "))} and nothing else.`,
      ]
    : [];
}

/** As many are named as a person would look up. */
const mostNamed = 5;

/**
 * The host shows what was pushed: of the rest a person sees nothing there, and approves it all the
 * same.
 */
function away(unpushed: readonly string[]): readonly Message[] {
  if (unpushed.length === 0) return [];
  const more = unpushed.length > mostNamed ? say` and ${unpushed.length - mostNamed} more` : say``;
  const named = say`${joinMessages(
    unpushed
      .slice(0, mostNamed)
      .map((commit) =>
        commitId(commit) === null ? say`${outside(commit)}` : trustedWords(commit.slice(0, 10)),
      ),
    say`, `,
  )}${more}`;
  return [
    unpushed.length === 1
      ? say`1 commit that stands there is not pushed, so that it can be seen in the checkout alone: ${named}.`
      : say`${unpushed.length} commits that stand there are not pushed, so that they can be seen in the checkout alone: ${named}.`,
  ];
}
