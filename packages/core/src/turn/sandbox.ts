import type { Runner } from "../config/harness.ts";

/** `harnesses.A.sandbox`. */
export type SandboxMode = "auto" | "required" | "off";

/** What a sandbox needs of the machine, the harness and the checkout. */
export type SandboxFacts = {
  readonly platform: string;
  readonly isRoot: boolean;
  readonly runner: Runner;
  /** Programs that the sandbox runs and that were not found. */
  readonly missing: readonly string[];
  /** What became of a look at user namespaces. `unanswered` says nothing of the machine. */
  readonly probe:
    | { readonly kind: "passed" }
    | { readonly kind: "refused" | "unanswered"; readonly why: string };
  /** Version of the harness when it cannot say whether its sandbox is on; null when it can. */
  readonly silentVersion: string | null;
  /**
   * `shared` where several checkouts have one: their sandboxes get in each other's way. `changed`
   * where a checkout that was made with its own has none any more.
   */
  readonly gitDirectory: "own" | "shared" | "changed";
  /**
   * A folder that must be hidden although the system lives in it, such as a home at `/`; null when
   * there is none.
   */
  readonly hidesSystem: string | null;
  /** The work item ran in the sandbox before. */
  readonly ranSandboxed: boolean;
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
 * Whether a turn runs in the harness's sandbox (ADR 0020). What the machine can't do turns `auto`
 * off and makes `required` hold. What passes, what a turn left behind, and an item that ran in the
 * sandbox before hold in either mode. Pure.
 */
export function decideSandbox(mode: SandboxMode, facts: SandboxFacts): SandboxDecision {
  if (mode === "off") return { kind: "off", why: "harnesses.A.sandbox is off", hint: null };
  const obstacle = obstacleIn(facts);
  if (obstacle === null) return { kind: "on" };
  const { why, hint, holds = false } = obstacle;
  if (mode === "required" || holds) return { kind: "hold", why, hint };
  if (!facts.ranSandboxed) return { kind: "off", why, hint };
  const orOff = hint.includes(turnedOff) ? "" : `, or set ${turnedOff}`;
  const before = `${why}, and this work item ran in the sandbox before`;
  return { kind: "hold", why: before, hint: `${hint}${orOff}` };
}

const turnedOff = "harnesses.A.sandbox: off";

/** `holds`: nothing that the machine can't do. */
type Obstacle = { readonly why: string; readonly hint: string; readonly holds?: true };

/** What a person has to change first comes first. */
function obstacleIn(facts: SandboxFacts): Obstacle | null {
  const { missing, probe, silentVersion, hidesSystem } = facts;
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
  if (probe.kind === "refused")
    return {
      why: `this machine forbids user namespaces (${probe.why})`,
      hint: `allow unprivileged user namespaces for bwrap; ${byHand} must succeed`,
    };
  if (probe.kind === "unanswered")
    return {
      why: `the look at this machine's user namespaces didn't answer (${probe.why})`,
      hint: `look at the limits of this user and at what the machine is busy with; ${byHand} must succeed`,
      holds: true,
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
  if (facts.gitDirectory === "changed")
    return {
      why: "the checkout's .git isn't the git directory that loop made any more",
      hint: "look what stands there, and remove what doesn't belong there, such as .git/commondir",
      holds: true,
    };
  if (facts.gitDirectory === "shared")
    return {
      why: "worktrees of one clone share a git directory, where sandboxed commands get in each other's way",
      hint: "set routing.workspace.strategy: clone; checkouts that exist stay worktrees until they are cleaned up",
    };
  return null;
}

const byHand = "`bwrap --unshare-all --ro-bind / / --proc /proc --dev /dev true`";

/** Where the package has another name than its program. */
const packages: ReadonlyMap<string, string> = new Map([["bwrap", "bubblewrap"]]);
