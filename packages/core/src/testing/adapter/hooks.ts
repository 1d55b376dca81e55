import { promptText } from "../../message/prompt-text.ts";
import { has, holds, same } from "../same.ts";
import { type AdapterRow, row } from "./row.ts";

/** What a harness hands to a hook, and what it understands as an answer. */
export const hookRows: readonly AdapterRow[] = [
  row(
    "AD-hook-01",
    "before a command our hook learns the session, the tool and its input; a harness without hooks claims no stop gate",
    async (stage) => {
      const handed = await stage.program.hookInput();
      if (handed === null)
        return same(
          "stop gate in headless turns",
          stage.turns.capabilities.stopGateInHeadless,
          false,
        );
      const call = stage.hooks.parse(handed.stdin, handed.env);
      if (call === null) throw new Error(`nothing was read from ${handed.stdin}`);
      same("event", call.event, "pre-tool");
      holds("session", call.sessionId !== null && call.sessionId !== "", call);
      holds("tool", call.tool !== null && call.tool !== "", call);
      has("input", Object(call.input), { command: "echo hi" });
    },
  ),
  row("AD-hook-02", "what no harness hands over is nobody's call, and no error", async (stage) => {
    for (const stdin of ["", "null", "[]", "3", "words", '{"half": '])
      same(JSON.stringify(stdin), stage.hooks.parse(stdin, {}), null);
  }),
  row(
    "AD-hook-03",
    "an answer of nothing is silence with exit code 0; a reason and a context stand in what is printed",
    async (stage) => {
      same("nothing", stage.hooks.render({ kind: "nothing" }), { stdout: "", stderr: "", code: 0 });
      for (const event of ["pre-tool", "stop"] as const) {
        const { stdout, stderr } = stage.hooks.render(
          { kind: "block", reason: promptText("not-now") },
          event,
        );
        holds(`${event}: reason`, `${stdout}${stderr}`.includes("not-now"), { stdout, stderr });
      }
      const context = stage.hooks.render(
        { kind: "context", text: promptText("look-here") },
        "session-start",
      );
      has("context", context, { code: 0 });
      holds("context: text", context.stdout.includes("look-here"), context);
    },
  ),
];
