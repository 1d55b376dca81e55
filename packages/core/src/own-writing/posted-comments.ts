import {
  changesSomething,
  type HostCall,
  hostCallsOf,
  mostRead,
  parseObject,
  serverToolWords,
  textAt,
  textsOf,
  type ToolUseEnd,
} from "./host-call.ts";

/** A comment on the code host, by the host's own id within its kind. */
export type OwnPost = {
  readonly surface: "conversation" | "review" | "diff";
  readonly commentId: string;
};

/**
 * The comments that an agent posted with a tool of its own, such as the code host's command line.
 * Only a call that posts is looked at, and of what it printed only what such a call prints about
 * its one post: a line that is the address of a comment, or one JSON object with it. A listing,
 * which names other people's comments, counts for nothing. Linear in the length of what it reads,
 * which is bounded.
 */
export function postsOf({ tool, input, output }: ToolUseEnd): readonly OwnPost[] {
  const calls = hostCallsOf({ tool, input });
  const posting = calls.filter(isPosting).length + (isPostingTool(tool) ? 1 : 0);
  if (posting === 0) return [];
  const found = textsOf(output, 0).flatMap((text) => addressesIn(text.slice(0, mostRead)));
  const posts = [
    ...new Map(found.map((post) => [`${post.surface} ${post.commentId}`, post])).values(),
  ];
  // Where the same command line reads as well, more addresses than posts are somebody else's too,
  // and nobody can tell which.
  return calls.length > posting && posts.length > posting ? [] : posts.slice(0, mostPosts);
}

const mostPosts = 20;

/** A server's tool that says something: its name holds what is said and that it is said. */
function isPostingTool(tool: string): boolean {
  const words = serverToolWords(tool);
  return words.some((word) => said.has(word)) && words.some((word) => saying.has(word));
}

const said: ReadonlySet<string> = new Set(["comment", "comments", "review", "reviews", "reply"]);
const saying: ReadonlySet<string> = new Set([
  "add",
  "create",
  "submit",
  "post",
  "reply",
  "write",
  "update",
]);

function isPosting(call: HostCall): boolean {
  const [noun, verb] = call.rest;
  if (call.program === "curl" || noun === "api") return changesSomething(call);
  return noun === "comment" || (nouns.has(noun) && verbs.has(verb));
}

const nouns: ReadonlySet<string | undefined> = new Set(["issue", "issues", "pr", "pulls"]);
const verbs: ReadonlySet<string | undefined> = new Set(["comment", "review", "close", "reopen"]);

/**
 * The one JSON object that an interface answers with, else each line that is an address and nothing
 * else.
 */
function addressesIn(text: string): readonly OwnPost[] {
  const address = textAt(parseObject(text), "html_url");
  const lines = address === "" ? text.split("\n") : [address];
  return lines.flatMap((line) => postAt(line.trim()) ?? []);
}

/** The comment that an address of the host leads to; null when it leads to something else. */
export function postAt(address: string): OwnPost | null {
  if (
    address.length > 500 ||
    !(address.startsWith("https://") || address.startsWith("http://")) ||
    address.includes(" ")
  )
    return null;
  const fragment = address.slice(address.lastIndexOf("#") + 1);
  for (const [prefix, surface] of fragments) {
    const id = fragment.slice(prefix.length);
    if (fragment.startsWith(prefix) && /^\d{1,19}$/.test(id)) return { surface, commentId: id };
  }
  return null;
}

const fragments = [
  ["issuecomment-", "conversation"],
  ["discussion_r", "diff"],
  ["pullrequestreview-", "review"],
] as const;
