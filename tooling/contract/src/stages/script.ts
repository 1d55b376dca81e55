import type { Trouble } from "@loopwork/core/ports";
import type { Deed, Script } from "@loopwork/core/testing";

/**
 * Deeds as the directives that fixtures and the stand-in of the model read
 * (tooling/fixture-harness/README.md).
 */
export function scriptOf(
  deeds: readonly Deed[],
  troubles: Readonly<Record<Trouble, Partial<Script>>>,
): Script {
  const parts = deeds.map((deed): Partial<Script> => {
    switch (deed.kind) {
      case "say":
        return { prompt: `{{stub:text ${deed.text}}}` };
      case "run":
      case "run-forbidden":
        return { prompt: `{{stub:bash ${deed.command}}}` };
      case "wait":
        return { prompt: `{{stub:hang ${deed.ms}}}` };
      case "fail":
        return troubles[deed.with];
    }
  });
  return {
    prompt: parts.map(({ prompt = "hello" }) => prompt).join(" "),
    env: Object.assign({}, ...parts.map(({ env }) => env)),
  };
}
