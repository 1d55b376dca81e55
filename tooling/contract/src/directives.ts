/** What the stand-in of the model does at one step of a turn. */
export type Act =
  | { readonly kind: "text"; readonly text: string; readonly afterMs: number }
  | { readonly kind: "tool"; readonly tool: string; readonly input: unknown }
  | {
      readonly kind: "error";
      readonly status: number;
      readonly type: string;
      readonly message: string;
    }
  | { readonly kind: "limit"; readonly window: string; readonly resetsAt: number };

/**
 * The act that a prompt scripts for a step: step 0 is the first reply, every tool result leads to
 * the next one. The grammar is that of the fixture harness (tooling/fixture-harness/README.md); a
 * test holds the two readers together.
 */
export function actOf({
  prompt,
  step,
  lastResult,
}: {
  readonly prompt: string;
  readonly step: number;
  readonly lastResult: string | null;
}): Act {
  const directive = directivesOf(prompt)[step];
  if (directive === undefined)
    return say(
      step > 0 && lastResult !== null
        ? `stub: tool said ${lastResult.trim().slice(0, 400)}`
        : `stub: heard ${prompt.slice(0, 400)}`,
    );
  const [first = "", ...others] = directive.rest.split(" ");
  switch (directive.name) {
    case "bash":
      return {
        kind: "tool",
        tool: "Bash",
        input: { command: directive.rest, description: "stub command" },
      };
    case "tool":
      return {
        kind: "tool",
        tool: first,
        input: others.length > 0 ? inputOf(others.join(" ")) : {},
      };
    case "hang":
      return { kind: "text", text: "stub woke", afterMs: Number(directive.rest) };
    case "error":
      return {
        kind: "error",
        status: Number(first),
        type: others[0] ?? "api_error",
        message: others.slice(1).join(" ") || "stub error",
      };
    case "limit":
      return { kind: "limit", window: first, resetsAt: Number(others[0]) };
    default:
      return say(directive.rest);
  }
}

/**
 * The input of a tool as JSON. In the body of an issue it reaches the model inside of JSON, its
 * quotes escaped.
 */
function inputOf(json: string): unknown {
  return JSON.parse(json.startsWith('{\\"') ? json.replaceAll('\\"', '"') : json);
}

/** The directives of a prompt, in order. */
export function directivesOf(
  prompt: string,
): readonly { readonly name: string; readonly rest: string }[] {
  const found: { name: string; rest: string }[] = [];
  for (let at = prompt.indexOf("{{stub:"); at >= 0; at = prompt.indexOf("{{stub:", at + 1)) {
    const end = prompt.indexOf("}}", at);
    if (end < 0) break;
    const body = read(prompt.slice(at + 7, prompt[end + 2] === "}" ? end + 1 : end));
    const space = body.search(/\s/);
    found.push(
      space < 0
        ? { name: body, rest: "" }
        : { name: body.slice(0, space), rest: body.slice(space + 1).trim() },
    );
  }
  return found;
}

/** What a prompt escapes so that no program takes it for an order; a model reads that by itself. */
function read(text: string): string {
  return text.replaceAll(/\\u00(2f|3c|40|55|75)/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function say(text: string): Act {
  return { kind: "text", text, afterMs: 0 };
}
