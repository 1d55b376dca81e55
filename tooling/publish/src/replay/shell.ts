import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run, type Ran } from "../run.ts";
import type { Stage } from "./stage.ts";

/**
 * A reader's terminal: the folder and the exported variables of one block are still there in the
 * next.
 */
export type Shell = { type(script: string): Promise<Ran> };

const longest = 300;

/** Opens a terminal in the home. A block ends at its first command that fails. */
export function openShell({ home, env }: Stage): Shell {
  const [left, script] = [join(home, ".replay-state"), join(home, ".replay-block")];
  return {
    async type(text) {
      const before = existsSync(left) ? `. '${left}'\n` : `cd '${home}'\n`;
      writeFileSync(
        script,
        `${before}set -e\n${text}\nset +e\n{ export -p; printf "cd '%s'\\n" "$PWD"; } > '${left}'\n`,
      );
      return run(["bash", "--noprofile", "--norc", script], home, env, longest);
    },
  };
}
