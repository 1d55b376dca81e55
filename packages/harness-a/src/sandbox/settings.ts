import { existsSync } from "node:fs";
import path from "node:path";
import type { SandboxOrder } from "@loopwork/core/ports";
import type { HiddenPaths } from "./hidden-paths.ts";
import { bothPlaces } from "./both-places.ts";
import { lockRules } from "./deny-rules.ts";
import { isWithin } from "./is-within.ts";
import { secretNames } from "./secret-names.ts";

/** What settings are made of beside the order: what is on this machine. */
export type Surroundings = {
  readonly tmpDir: string;
  /** What commands must not read. */
  readonly hidden: HiddenPaths;
  /** Folders of programs that a turn needs: the harness, `loop`, Node. */
  readonly programs: readonly string[];
  readonly domains: readonly string[];
  /** Rules that keep the harness's own file tools out, for `permissions.deny`. */
  readonly deny: readonly string[];
};

/**
 * The settings of one attempt (ADR 0020). Paths begin with one slash here; in rules of permissions
 * with two.
 */
export function sandboxSettings(order: SandboxOrder, around: Surroundings): unknown {
  const { outermost, inOpen, tooOpen } = around.hidden;
  const own = [order.checkout, ...order.alsoIn, around.tmpDir];
  const read = [...new Set([...own, ...order.read, ...around.programs, ...order.write])];
  return {
    permissions: { deny: [...around.deny, ...lockRules(order.locked)] },
    sandbox: {
      enabled: true,
      failIfUnavailable: true,
      autoAllowBashIfSandboxed: true,
      allowUnsandboxedCommands: false,
      excludedCommands: order.exclude,
      filesystem: {
        // The deeper path wins. For a file that isn't there the program hides the folder around it.
        denyRead: [...outermost, ...inOpen.filter((file) => existsSync(file))].toSorted(),
        // What would open a whole hidden folder is left out: a tool folder that is the home itself,
        // for example.
        allowRead: withLinked(read.filter((each) => !tooOpen.includes(each))).filter(
          (each) => !outermost.some((folder) => isWithin(folder, each)),
        ),
        allowWrite: bothPlaces([
          ...order.alsoIn,
          ...order.write,
          path.join(order.turnDir, "requests"),
        ]),
        denyWrite: [
          ...bothPlaces(order.locked).filter((file) => existsSync(file)),
          ...order.alsoIn.flatMap((folder) =>
            protectedNames.map((name) => path.join(folder, name)),
          ),
        ],
      },
      network: { allowedDomains: around.domains, strictAllowlist: true },
      credentials: {
        envVars: secretNames(order.env, order.passEnv).map((name) => ({ name, mode: "deny" })),
      },
    },
  };
}

/** With where links on the way to them lead, unless that is among them. */
function withLinked(open: readonly string[]): readonly string[] {
  const linked = bothPlaces(open).filter((each) => !open.some((folder) => isWithin(each, folder)));
  return [...open, ...linked];
}

/** In a folder beside the checkout the harness protects none of these by itself. */
const protectedNames: readonly string[] = [
  ".git/hooks",
  ".git/config",
  ".git/config.worktree",
  ".mcp.json",
  ".claude",
];
