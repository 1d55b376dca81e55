import { treeOf } from "../control/keyword-tree.ts";
import { saysApproved } from "../control/approval-words.ts";
import type { ControlVerb } from "../event/event.ts";
import { codeLines } from "./agent-code.ts";
import { type AgentReading, beginsWithTag, quietLine } from "./agent-line.ts";
import { brand, type PostText } from "../message/post.ts";

/** Who may be mentioned, and which words would steer an instance. Logins are in lower case. */
export type AgentPostRules = {
  readonly heard: ReadonlySet<string>;
  readonly keywords: Readonly<Record<ControlVerb, string>>;
};

/**
 * What an agent writes, ready to be posted under our login. It stays Markdown, and code stays code.
 * Elsewhere
 *
 *     a mention of somebody who is not heard, or of a team   is none any more: a zero-width space stands in it
 *     an image                                               becomes its words and its address
 *     a link                                                 shows where it leads: `text (address)`
 *     HTML                                                   is shown as text, a few harmless tags aside
 *     a line that begins like a command (agent-command.ts)   is text: a zero-width space behind its first character
 *     a keyword of ours                                      is text: backquotes, or a zero-width space
 *
 * The reading of Markdown errs on one side: what a host might not take for code is not taken for
 * code here, and every change but the backquotes means the same wherever it stands. Linear in the
 * length. (ADR 0016)
 */
export function formatAgentPost(text: string, { heard, keywords }: AgentPostRules): PostText {
  const lines = withoutControls(text).split(/\r\n|\r|\n/);
  const code = codeLines(lines);
  const reading: AgentReading = { heard, steps: treeOf(keywords).steps, doubt: false };
  const quiet: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (code.isCode[at] === 1) {
      quiet.push(line);
      reading.doubt = false;
      continue;
    }
    // The next paragraph is read anew, unless nobody can tell any more where code ends.
    if (line.trim() === "") reading.doubt = false;
    if (at >= code.doubtFrom) reading.doubt = true;
    quiet.push(quietLine(line, reading));
    // What follows a tag at the beginning of a line is raw HTML up to an empty line.
    if (beginsWithTag(line)) {
      quiet.push("");
      reading.doubt = false;
    }
  }
  const said = quiet.join("\n");
  return brand(saysApproved(said) ? `\u200b\n\n${said}` : said);
}

/**
 * Without control characters, and without marks by which text shows in another order than it is
 * written in.
 */
function withoutControls(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    "",
  );
}
