import { formatRef, parseRef, type Ref, type RefText } from "../ref/ref.ts";
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

/**
 * The pull requests that an agent opened with a tool of its own. Numbers come from what the tool
 * returned and from nowhere else: a line that is the address of a pull request, or one JSON object
 * with it. Where there are more addresses than calls that open one, some are somebody else's and
 * nobody can tell which, so none counts. Linear in what it reads.
 */
export function openedBy({ tool, input, output }: ToolUseEnd): readonly RefText[] {
  const calls = hostCallsOf({ tool, input }).filter(opens).length + (isOpeningTool(tool) ? 1 : 0);
  if (calls === 0) return [];
  const found = new Set(textsOf(output, 0).flatMap((text) => addressesIn(text.slice(0, mostRead))));
  return found.size > calls ? [] : [...found];
}

/** `gh pr create`, `tea pulls create`, or a call of the interface that creates below `/pulls`. */
function opens(call: HostCall): boolean {
  const rest = untilSeparator(call.rest);
  const [noun, verb] = rest;
  if (call.program === "curl" || noun === "api")
    return changesSomething({ program: call.program, rest }) && rest.some(isPullsAddress);
  return nouns.has(noun) && verbs.has(verb);
}

const nouns: ReadonlySet<string | undefined> = new Set(["pr", "pull", "pulls"]);
const verbs: ReadonlySet<string | undefined> = new Set(["create", "new", "c"]);

/** What stands behind a separator of the shell is another call's. */
function untilSeparator(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => separators.has(word));
  return end === -1 ? words : words.slice(0, end);
}

const separators: ReadonlySet<string> = new Set(["&&", "||", ";", "|", "&"]);

function isPullsAddress(word: string): boolean {
  const bare = word.replaceAll(/["']/g, "").replace(/\?.*/su, "");
  return bare.endsWith("/pulls") && bare.includes("repos/");
}

/**
 * A server's tool such as `mcp__github__create_pull_request`; not one that reviews or updates it.
 */
function isOpeningTool(tool: string): boolean {
  const words = serverToolWords(tool);
  const named = words.includes("pr") || words[words.indexOf("pull") + 1] === "request";
  return named && words.some((word) => opening.has(word)) && !words.some((word) => about.has(word));
}

const opening: ReadonlySet<string> = new Set(["create", "open", "new"]);
const about: ReadonlySet<string> = new Set([
  "review",
  "reviews",
  "comment",
  "comments",
  "reply",
  "list",
  "get",
]);

/**
 * The one JSON object that an interface answers with, else each line that is an address and nothing
 * else.
 */
function addressesIn(text: string): readonly RefText[] {
  const answer = parseObject(text);
  const addresses =
    answer === null ? text.split("\n") : [textAt(answer, "html_url"), textAt(answer, "url")];
  return addresses.flatMap((address) => {
    const ref = pullRequestAt(address.trim());
    return ref === null ? [] : [formatRef(ref)];
  });
}

/**
 * The pull request that a page's address leads to; null when it leads to something else, such as
 * one of its files or a comment.
 */
export function pullRequestAt(address: string): Ref | null {
  return page.test(address) ? parseRef(address.replace(page, "host:$1#$2")) : null;
}

/** Host, owner and repository, and the number behind them. */
const page = /^https?:\/\/([^/]{1,255}\/[^/]{1,100}\/[^/]{1,100})\/pulls?\/(\d{1,10})$/u;
