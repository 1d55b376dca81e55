import { unescaped } from "./unescaped.mjs";

/**
 * The model's part, scripted by the prompt. A prompt carries directives; each reply of the turn
 * takes the next one:
 *
 *     {{stub:bash <command>}}   {{stub:tool <Name> <json>}}   {{stub:text <words>}}
 *     {{stub:hang <ms>}}        {{stub:error <status> [type] [message]}}   {{stub:limit <window> <epoch seconds>}}
 *
 * The loopback stand-in of the real harness's API reads the same directives
 * (tooling/contract/src/directives.ts).
 */
export function directivesOf(prompt) {
  const found = [];
  for (let at = prompt.indexOf("{{stub:"); at >= 0; at = prompt.indexOf("{{stub:", at + 1)) {
    const end = prompt.indexOf("}}", at);
    if (end < 0) break;
    const close = prompt[end + 2] === "}" ? end + 1 : end;
    const body = unescaped(prompt.slice(at + 7, close));
    const space = body.search(/\s/);
    found.push(
      space < 0
        ? { name: body, rest: "" }
        : { name: body.slice(0, space), rest: body.slice(space + 1).trim() },
    );
  }
  return found;
}

/**
 * What the model does at one step of a turn: `{text}`, `{tool, input}`, `{error}`, `{limit}`, or
 * `{hang, text}`.
 */
export function reply({ prompt, step, lastResult }) {
  const directive = directivesOf(prompt)[step];
  if (directive === undefined)
    return {
      text:
        step > 0 && lastResult !== null
          ? `stub: tool said ${lastResult.trim().slice(0, 400)}`
          : `stub: heard ${prompt.slice(0, 400)}`,
    };
  const { name, rest } = directive;
  const [first, ...others] = rest.split(" ");
  switch (name) {
    case "bash":
      return { tool: "Bash", input: { command: rest, description: "stub command" } };
    case "tool":
      return { tool: first, input: others.length > 0 ? JSON.parse(others.join(" ")) : {} };
    case "hang":
      return { hang: Number(rest), text: "stub woke" };
    case "error":
      return {
        error: {
          status: Number(first),
          type: others[0] ?? "api_error",
          message: others.slice(1).join(" ") || "stub error",
        },
      };
    case "limit":
      return { limit: { window: first, resetsAt: Number(others[0]) } };
    default:
      return { text: rest };
  }
}
