import type { Runner } from "../work-item/records.ts";

/** `harnesses.A.sandbox`. */
export type SandboxMode = "auto" | "required" | "off";

/** What a sandbox needs of the machine, the harness and the checkout. */
export type SandboxFacts = {
  readonly platform: string;
  readonly isRoot: boolean;
  readonly runner: Runner;
  /** Programs that the sandbox runs and that were not found. */
  readonly missing: readonly string[];
  /** Why the probe of user namespaces failed; null when it passed. */
  readonly probeFailure: string | null;
  /** Version of the harness when it cannot say whether its sandbox is on; null when it can. */
  readonly silentVersion: string | null;
  /**
   * False where several checkouts share one git directory: their sandboxes get in each other's way.
   */
  readonly hasOwnGitDirectory: boolean;
  /**
   * A folder that must be hidden although the system lives in it, such as a home at `/`; null when
   * there is none.
   */
  readonly hidesSystem: string | null;
};

/**
 * `why` is a clause without its beginning and its full stop: "the service runs as root". `hint`
 * says what to type.
 */
export type SandboxDecision =
  | { readonly kind: "on" }
  | { readonly kind: "off"; readonly why: string; readonly hint: string | null }
  | { readonly kind: "hold"; readonly why: string; readonly hint: string };

/**
 * Whether a turn runs in the harness's sandbox (ADR 0020). Whatever is in the way turns `auto` off
 * and makes `required` hold. Pure.
 */
export function decideSandbox(mode: SandboxMode, facts: SandboxFacts): SandboxDecision {
  if (mode === "off") return { kind: "off", why: "harnesses.A.sandbox is off", hint: null };
  const obstacle = obstacleIn(facts);
  if (obstacle === null) return { kind: "on" };
  return mode === "auto" ? { kind: "off", ...obstacle } : { kind: "hold", ...obstacle };
}

type Obstacle = { readonly why: string; readonly hint: string };

/** What a person has to change first comes first. */
function obstacleIn(facts: SandboxFacts): Obstacle | null {
  const { missing, probeFailure, silentVersion, hidesSystem } = facts;
  if (facts.platform !== "linux")
    return {
      why: `loop uses Claude Code's sandbox on Linux only, and this is ${facts.platform}`,
      hint: "run loop in a Linux machine or container, or set harnesses.A.sandbox: off",
    };
  if (facts.isRoot)
    return {
      why: "the service runs as root, where the sandbox protects nothing",
      hint: "run loop as a user of its own",
    };
  if (facts.runner === "tmux")
    return {
      why: "turns run in terminals, where Claude Code doesn't report whether its sandbox is on",
      hint: "set routing.runner: headless",
    };
  if (missing.length > 0)
    return {
      why: `${missing.join(" and ")} ${missing.length === 1 ? "isn't" : "aren't"} installed`,
      hint: `install ${missing.map((name) => packages.get(name) ?? name).join(" and ")}`,
    };
  if (probeFailure !== null)
    return {
      why: `this machine forbids user namespaces (${probeFailure})`,
      hint: "allow unprivileged user namespaces for bwrap; `bwrap --unshare-all --ro-bind / / --proc /proc --dev /dev true` must succeed",
    };
  if (silentVersion !== null)
    return {
      why: `Claude Code ${silentVersion} doesn't report whether its sandbox is on`,
      hint: "update Claude Code to 2.1.332 or newer",
    };
  if (hidesSystem !== null)
    return {
      why: `${hidesSystem} would have to be hidden, and the system lives in it`,
      hint: "give the account a home folder of its own, and loop a state root of its own",
    };
  if (!facts.hasOwnGitDirectory)
    return {
      why: "worktrees of one clone share a git directory, where sandboxed commands get in each other's way",
      hint: "set routing.workspace.strategy: clone; checkouts that exist stay worktrees until they are cleaned up",
    };
  return null;
}

/** Where the package has another name than its program. */
const packages: ReadonlyMap<string, string> = new Map([["bwrap", "bubblewrap"]]);
