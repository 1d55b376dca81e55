import path from "node:path";
import { fileURLToPath } from "node:url";
import { directivesOf, reply } from "./model.mjs";

const opener = path.join(path.dirname(fileURLToPath(import.meta.url)), "open-pull.mjs");

/**
 * The practice personality (`LOOP_PRACTICE=1`): where a prompt scripts nothing, act like a small
 * agent. A new session makes a branch, a change, a commit and a pull request; a resumed one answers
 * with one more commit and a comment. Every step is a real tool call, with hooks, permissions and a
 * transcript.
 */
export function createPractice({ resume, env }) {
  const item = parseItem(env.LOOP_WORK_ITEM ?? "");
  const commands = resume ? answerSteps(item) : firstSteps(item);
  return ({ prompt, step, lastResult }) => {
    if (item === null || directivesOf(prompt).length > 0)
      return reply({ prompt, step, lastResult });
    const command = commands[step];
    if (command !== undefined) return { tool: "Bash", input: { command, description: "practice" } };
    return {
      text: resume
        ? "I changed it as asked and pushed."
        : "I worked on it and opened a pull request.",
    };
  };
}

function firstSteps({ number }) {
  const branch = `issue-${number}`;
  return [
    `git switch -c ${branch}`,
    `printf '# Work on issue ${number}\\n\\nThe practice agent was here.\\n' > PRACTICE-${number}.md`,
    `git add PRACTICE-${number}.md && git commit -m "Work on issue ${number}"`,
    `git push -u origin ${branch}`,
    `node ${opener} ${number}`,
  ];
}

function answerSteps({ number }) {
  return [
    `printf '\\nChanged after a review.\\n' >> PRACTICE-${number}.md`,
    `git add PRACTICE-${number}.md && git commit -m "Answer the review of issue ${number}"`,
    "git push",
    'loop comment "Done: I changed it as asked and pushed a commit."',
  ];
}

function parseItem(ref) {
  const match = /^host:(?:([^/#]+)\/)?([^/#]+)\/([^/#]+)#(\d+)$/.exec(ref);
  return match === null ? null : { owner: match[2], repo: match[3], number: match[4] };
}
