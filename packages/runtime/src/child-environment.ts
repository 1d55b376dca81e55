import {
  absolutePath,
  allowedEnvironment,
  copiesOfSecrets,
  operatorEnvironment,
  type Variables,
  withAbsolutePath,
} from "@loopwork/core/ports";

/**
 * What environments of children are made from: that of the service, and which of its variables are
 * secrets.
 */
export type ServiceVariables = {
  readonly env: Variables;
  /** Names of variables that hold secrets of ours: webhook secrets, host token, store URL. */
  readonly secretNames: readonly string[];
};

/**
 * The environment of a child, made here by what the child is, so that nobody hands on that of the
 * service:
 *
 *     hook, installer          the operator's: without our secrets, the service's settings and git's whereabouts
 *     critic, notification,    what any program needs, and what `passEnv` of that critic or notification names
 *     probe, tool
 *     service                  a daemon of ours, or a `loop` that starts one: everything but git's whereabouts
 *
 * None has a relative folder in its `PATH`. Agents, and harnesses that are asked by the way, get
 * theirs from `turnEnvironment` and `agentEnvironment` through their adapter.
 */
export class ChildEnvironment {
  readonly #variables: Readonly<Record<string, string>>; // Private, so that no plain object passes for one.

  private constructor(variables: Readonly<Record<string, string>>) {
    this.#variables = withAbsolutePath(variables);
  }

  get variables(): Readonly<Record<string, string>> {
    return this.#variables;
  }

  /**
   * A check of the process graph. What it runs the agent may have written, hence the sign by which
   * `loop` refuses it what it refuses a turn.
   */
  static hook(from: ServiceVariables): ChildEnvironment {
    return new ChildEnvironment({
      ...operatorEnvironment(from.env, withoutSecrets(from)),
      ...judgeSign,
    });
  }

  /** A critic's own program. */
  static critic(from: ServiceVariables, passEnv: readonly string[]): ChildEnvironment {
    return new ChildEnvironment({ ...allowed(from, passEnv), ...judgeSign });
  }

  /** A program that is told of a change. */
  static notification(from: ServiceVariables, passEnv: readonly string[]): ChildEnvironment {
    return new ChildEnvironment(allowed(from, passEnv));
  }

  /** What only shows that something works. */
  static probe(from: ServiceVariables): ChildEnvironment {
    return new ChildEnvironment(allowed(from, []));
  }

  /**
   * A package manager that installs a newer loop: it has the operator's settings, and runs scripts
   * of others.
   */
  static installer(
    from: ServiceVariables,
    more: Readonly<Record<string, string>> = {},
  ): ChildEnvironment {
    return new ChildEnvironment({
      ...operatorEnvironment(from.env, withoutSecrets(from)),
      ...more,
    });
  }

  /** Ourselves once more. `without` names what the other one must be told anew. */
  static service(
    env: Variables,
    more: Readonly<Record<string, string>> = {},
    without: readonly string[] = [],
  ): ChildEnvironment {
    const names = Object.keys(env).filter((name) => !without.includes(name));
    return new ChildEnvironment({
      ...operatorEnvironment(env, {
        secretNames: [],
        passEnv: names.filter((name) => name.startsWith("LOOP_")),
      }),
      ...more,
    });
  }

  /** A program of the system, such as git, ps or the browser; `also` names what it needs beside. */
  static tool(env: Variables, also: readonly string[] = []): ChildEnvironment {
    return new ChildEnvironment(allowed({ env, secretNames: [] }, also));
  }

  /** Exactly these. */
  static exactly(variables: Readonly<Record<string, string>>): ChildEnvironment {
    return new ChildEnvironment(variables);
  }

  /** What an adapter planned over an environment of ours. */
  static planned({ env }: { readonly env: Readonly<Record<string, string>> }): ChildEnvironment {
    return new ChildEnvironment(env);
  }
}

/**
 * What adapters of a harness are given: the operator's environment. `passEnv` keeps names that
 * would be taken out.
 */
export function agentEnvironment(
  from: ServiceVariables,
  passEnv: readonly string[],
): Record<string, string> {
  return operatorEnvironment(from.env, { secretNames: from.secretNames, passEnv });
}

/** The environment in which a harness judges an agent's work. */
export function judgingHarnessEnvironment(
  from: ServiceVariables,
  passEnv: readonly string[],
): Record<string, string> {
  return { ...agentEnvironment(from, passEnv), ...judgeSign };
}

/** What git of the service gets: `passEnv` may name what the operator's credential helper needs. */
export function gitEnvironment(
  from: ServiceVariables,
  passEnv: readonly string[],
): Record<string, string> {
  return agentEnvironment(from, passEnv);
}

export type TurnParent = ServiceVariables & {
  /** Names that stay in spite of being secrets (`harnesses.X.passEnv[]`). */
  readonly passEnv: readonly string[];
  /** `harnesses.X.env` of the configuration. */
  readonly extra: Readonly<Record<string, string>>;
  /** Folder that holds the `loop` which children call; it comes first in PATH. */
  readonly binDir: string;
};

export type TurnVariables = {
  readonly instance: string;
  readonly workItem: string;
  readonly session: string;
  readonly turn: number;
  readonly turnDir: string;
  readonly configFile: string | null;
  /**
   * The driver asks after the turn whether the work is complete, so the harness's own stop hook
   * must not (ADR 0019).
   */
  readonly driverAsks: boolean;
};

/**
 * The environment of an agent's turn: the operator's, plus what the session must know. The adapter
 * takes its own run-time variables out.
 */
export function turnEnvironment(from: TurnParent, turn: TurnVariables): Record<string, string> {
  const env = agentEnvironment(from, from.passEnv);
  return {
    ...env,
    ...from.extra,
    PATH: `${from.binDir}:${absolutePath(from.extra["PATH"] ?? env["PATH"] ?? "")}`,
    LOOP_INSTANCE: turn.instance,
    LOOP_WORK_ITEM: turn.workItem,
    LOOP_SESSION: turn.session,
    LOOP_TURN: String(turn.turn),
    LOOP_TURN_DIR: turn.turnDir,
    ...(turn.configFile === null ? {} : { LOOP_CONFIG: turn.configFile }),
    ...(turn.driverAsks ? { LOOP_GATE: "driver" } : {}),
  };
}

const judgeSign = { LOOP_JUDGE: "1" } as const;

function withoutSecrets({ secretNames }: ServiceVariables): {
  readonly secretNames: readonly string[];
  readonly passEnv: readonly string[];
} {
  return { secretNames, passEnv: [] };
}

/**
 * `passEnv` of a critic or a notification names no secret of ours; the configuration is refused
 * where it does.
 */
function allowed(
  { env, secretNames }: ServiceVariables,
  passEnv: readonly string[],
): Record<string, string> {
  const copies = copiesOfSecrets(env, secretNames).map(({ name }) => name);
  const names = passEnv.filter((name) => !secretNames.includes(name) && !copies.includes(name));
  return allowedEnvironment(operatorEnvironment(env, { secretNames, passEnv: names }), (name) =>
    names.includes(name),
  );
}
