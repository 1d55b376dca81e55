/** A comment on the code host, by the host's own id within its kind. */
export type OwnPost = { readonly surface: "conversation" | "review" | "diff"; readonly commentId: string };

/** One use of a tool by an agent, as its harness tells a hook afterwards. */
export type ToolUseEnd = { readonly tool: string; readonly input: unknown; readonly output: unknown };

/**
 * The comments that an agent posted with a tool of its own, such as the code host's command line (decisions.md 5, Own
 * writing). Only a call that posts is looked at, and of what it printed only what such a call prints about its one post: a
 * line that is the address of a comment, or one JSON object with it. A listing, which names other people's comments, counts
 * for nothing. Linear in the length of what it reads, which is bounded.
 */
export function postsOf({ tool, input, output }: ToolUseEnd): readonly OwnPost[] {
  const calls = tool === "Bash" || tool === "Shell" ? callsIn(textAt(input, "command")) : { posting: isPostingTool(tool) ? 1 : 0, reading: 0 };
  if (calls.posting === 0) return [];
  const found = textsOf(output, 0).flatMap((text) => addressesIn(text.slice(0, mostRead)));
  const posts = [...new Map(found.map((post) => [`${post.surface} ${post.commentId}`, post])).values()];
  // Where the same command line reads as well, more addresses than posts are somebody else's too, and nobody can tell which.
  return calls.reading > 0 && posts.length > calls.posting ? [] : posts.slice(0, mostPosts);
}

const mostRead = 65_536;
const mostPosts = 20;

/** A server's tool that says something: its name holds what is said and that it is said. */
function isPostingTool(tool: string): boolean {
  if (!tool.startsWith("mcp__")) return false;
  const words = tool.toLowerCase().split("_");
  return words.some((word) => said.has(word)) && words.some((word) => saying.has(word));
}

const said: ReadonlySet<string> = new Set(["comment", "comments", "review", "reviews", "reply"]);
const saying: ReadonlySet<string> = new Set(["add", "create", "submit", "post", "reply", "write", "update"]);

/** How many calls of a command line post to the code host, and how many only read there. */
function callsIn(command: string): { readonly posting: number; readonly reading: number } {
  const words = command.slice(0, mostRead).split(/\s/).filter((word) => word !== "");
  let [posting, reading] = [0, 0];
  words.forEach((word, at) => {
    const program = word.slice(word.lastIndexOf("/") + 1);
    if (program !== "curl" && program !== "gh" && program !== "tea") return;
    if (isPosting(program, words.slice(at + 1, at + 1 + mostWords))) posting += 1;
    else reading += 1;
  });
  return { posting, reading };
}

function isPosting(program: string, rest: readonly string[]): boolean {
  if (program === "curl") return rest.some((each, n) => isData(each) || isMethod(each, rest[n + 1], methods)) && !rest.some((each, n) => isMethod(each, rest[n + 1], readMethods));
  if (rest[0] === "comment") return true;
  if (rest[0] !== "api") return nouns.has(rest[0] ?? "") && verbs.has(rest[1] ?? "");
  // A field makes a call a post by itself, unless it says that it reads; a query is one unless it says that it changes something.
  if (rest.includes("graphql")) return rest.some((each) => each.includes("mutation"));
  return rest.some((each, n) => isField(each) || isMethod(each, rest[n + 1], methods)) && !rest.some((each, n) => isMethod(each, rest[n + 1], readMethods));
}

/** Options stand among the first words of a call; the text of a comment may follow. */
const mostWords = 200;
const nouns: ReadonlySet<string> = new Set(["issue", "issues", "pr", "pulls"]);
const verbs: ReadonlySet<string> = new Set(["comment", "review", "close", "reopen"]);
const methods: ReadonlySet<string> = new Set(["POST", "PATCH", "PUT"]);
const readMethods: ReadonlySet<string> = new Set(["GET", "HEAD"]);

function isMethod(word: string, next: string | undefined, among: ReadonlySet<string>): boolean {
  const short = word.startsWith("-") && !word.startsWith("--") && word.endsWith("X"); // Also at the end of others, as in -sX.
  if (short || word === "--method" || word === "--request") return among.has((next ?? "").toUpperCase());
  return [...among].some((method) => word === `-X${method}` || word === `--method=${method}` || word === `--request=${method}`);
}

function isField(word: string): boolean {
  return ["-f", "-F", "--field", "--raw-field", "--input"].some((option) => word === option || word.startsWith(`${option}=`));
}

function isData(word: string): boolean {
  return word === "-d" || word === "--json" || word.startsWith("--data");
}

/** The one JSON object that an interface answers with, else each line that is an address and nothing else. */
function addressesIn(text: string): readonly OwnPost[] {
  const address = textAt(parse(text), "html_url");
  const lines = address === "" ? text.split("\n") : [address];
  return lines.flatMap((line) => postAt(line.trim()) ?? []);
}

/** The comment that an address of the host leads to; null when it leads to something else. */
export function postAt(address: string): OwnPost | null {
  if (address.length > 500 || !(address.startsWith("https://") || address.startsWith("http://")) || address.includes(" ")) return null;
  const fragment = address.slice(address.lastIndexOf("#") + 1);
  for (const [prefix, surface] of fragments) {
    const id = fragment.slice(prefix.length);
    if (fragment.startsWith(prefix) && /^\d{1,19}$/.test(id)) return { surface, commentId: id };
  }
  return null;
}

const fragments = [["issuecomment-", "conversation"], ["discussion_r", "diff"], ["pullrequestreview-", "review"]] as const;

/** Every text in what a tool returned: servers wrap theirs in lists of parts. */
function textsOf(value: unknown, depth: number): readonly string[] {
  if (typeof value === "string") return [value];
  if (depth > 3 || typeof value !== "object" || value === null) return [];
  return Object.values(value).slice(0, 50).flatMap((each) => textsOf(each, depth + 1));
}

function textAt(value: unknown, key: string): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "";
  const found: unknown = Object.entries(value).find(([name]) => name === key)?.[1];
  return typeof found === "string" ? found : "";
}

function parse(text: string): unknown {
  if (!text.trimStart().startsWith("{")) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
