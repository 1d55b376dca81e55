import { type ConfigProblem, type Position, problemAt } from "./problem.ts";
import { graphRules } from "./rules/graph.ts";
import { harnessRules } from "./rules/harness.ts";
import { instanceRules } from "./rules/instance.ts";
import { networkRules } from "./rules/network.ts";
import { routingRules } from "./rules/routing.ts";
import { secretRules } from "./rules/secrets.ts";
import type { Config } from "./schema.ts";
import type { SecretReading } from "./secret-value.ts";

/** What rules may know of the machine beside the configuration; read by the shell before. */
export type EnvironmentFacts = {
  /** Names of environment variables that are set and not empty, those of `env.file` included. */
  readonly variables: ReadonlySet<string>;
  /**
   * Variables of secrets that the configuration names, as they are set; those that are unset may be
   * left out.
   */
  readonly secrets: ReadonlyMap<string, SecretReading>;
  /** Variables that hold the value of one of loop's secrets under another name. */
  readonly copies: readonly { readonly name: string; readonly of: string }[];
  /** Daemons that are about to run; a foreground one runs whatever its `enabled` says. */
  readonly daemons: {
    readonly service: boolean;
    readonly receiver: boolean;
    readonly poller: boolean;
  };
  /** Absolute home folder. */
  readonly home: string;
  /** Absolute folder of the configuration file; null when there is none. */
  readonly configDir: string | null;
  /** Where state lies by default; absent where that is `.loop` beside the configuration. */
  readonly defaultStateRoot?: string | null;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Keys that the file sets, with their places; out of `parseConfig`. */
  readonly set: ReadonlyMap<string, Position>;
};

/** One rule over several keys: a pure function that names what it finds. */
export type Rule = (config: Config, facts: EnvironmentFacts) => readonly Finding[];
export type Finding = {
  readonly level: "error" | "warning";
  readonly path: string;
  readonly message: string;
  readonly hint: string;
};

const rules: readonly Rule[] = [
  ...networkRules,
  ...secretRules,
  ...routingRules,
  ...harnessRules,
  ...instanceRules,
  ...graphRules,
];

/** Everything that single keys cannot show. Nothing starts while there are errors. */
export function checkRules(
  config: Config,
  facts: EnvironmentFacts,
): { readonly errors: readonly ConfigProblem[]; readonly warnings: readonly ConfigProblem[] } {
  const found = rules.flatMap((rule) => rule(config, facts));
  const problems = (level: Finding["level"]): readonly ConfigProblem[] =>
    found
      .filter((finding) => finding.level === level)
      .map(({ path, message, hint }) =>
        problemAt(
          facts.set.get(path) ?? null,
          path,
          level === "error" ? "LOOP_E_CONFIG_RULE" : "LOOP_W_CONFIG_RULE",
          message,
          hint,
        ),
      );
  return { errors: problems("error"), warnings: problems("warning") };
}

/**
 * The facts of a machine of which nothing is known: what `enabled` says runs, no variable is set.
 */
export function plainFacts(config: Config, over: Partial<EnvironmentFacts> = {}): EnvironmentFacts {
  return {
    variables: new Set(),
    secrets: new Map(),
    copies: [],
    daemons: {
      service: config.service.enabled,
      receiver: config.webhooks.hostWebhook.enabled,
      poller: config.polling.enabled,
    },
    home: "/home/loop",
    configDir: null,
    now: 1_767_225_600_000,
    set: new Map(),
    ...over,
  };
}
