import { redactedShape } from "../../audit/redact.ts";
import { resolvePaths } from "../paths.ts";
import type { Finding, Rule } from "../rules.ts";

/** Rules about what sessions may do and where they work. */
export const harnessRules: readonly Rule[] = [
  permissions,
  secretsInPlainSight,
  workspaceRoot,
  commands,
  passedSecrets,
  copiedSecrets,
  unknownToB,
  untoldSpend,
  ownSettings,
];

const bypassFlags = [
  "--dangerously-skip-permissions",
  "--permission-mode=bypassPermissions",
  "--force",
  "-f",
  "--yolo",
];

function permissions(config: Parameters<Rule>[0]): readonly Finding[] {
  return (["A", "B"] as const).flatMap((id): readonly Finding[] => {
    const { permissions: mode, args } = config.harnesses[id];
    const byFlag = args.some(
      (arg, i) =>
        bypassFlags.includes(arg) ||
        (arg === "bypassPermissions" && args[i - 1] === "--permission-mode"),
    );
    if (mode !== "bypass" && !byFlag) return [];
    const path = mode === "bypass" ? `harnesses.${id}.permissions` : `harnesses.${id}.args`;
    return [
      {
        level: "warning",
        path,
        message: "lets sessions do everything that you can do on this machine",
        hint: "guarded sessions edit files and run a list of tools; harnesses.A.allowedTools extends it",
      },
    ];
  });
}

/** What looks like a token must not stand in the file; it is not shown. */
function secretsInPlainSight(config: Parameters<Rule>[0]): readonly Finding[] {
  return (["A", "B"] as const).flatMap((id): readonly Finding[] => {
    const { args, env } = config.harnesses[id];
    const named = Object.entries(env)
      .filter(([, value]) => redactedShape(value))
      .map(([name]): [string, string] => [
        `harnesses.${id}.env`,
        `${name} holds what looks like a secret`,
      ]);
    const given = args.flatMap((arg, i): readonly [string, string][] =>
      redactedShape(arg)
        ? [[`harnesses.${id}.args`, `argument ${i + 1} holds what looks like a secret`]]
        : [],
    );
    return [...named, ...given].map(([path, message]): Finding => ({
      level: "error",
      path,
      message: `${message} and is not shown`,
      hint: `export it as a variable and name that in harnesses.${id}.passEnv; replace the secret, it was in a file`,
    }));
  });
}

/** Releases remove folders under the root, so it is never a folder that holds other things. */
function workspaceRoot(...[config, facts]: Parameters<Rule>): readonly Finding[] {
  const paths = resolvePaths(config, facts);
  const root = paths.workspaceRoot;
  if (root === null) return [];
  const unsafe =
    root === "/" ||
    root === facts.home ||
    facts.home.startsWith(`${root}/`) ||
    root === paths.stateRoot ||
    paths.stateRoot.startsWith(`${root}/`);
  if (!unsafe) return [];
  return [
    {
      level: "error",
      path: "routing.workspace.root",
      message: `${root} holds more than checkouts`,
      hint: "choose a folder of its own, such as ~/.loop/workspaces",
    },
  ];
}

function commands(config: Parameters<Rule>[0]): readonly Finding[] {
  return (["A", "B"] as const).flatMap((id): readonly Finding[] =>
    config.harnesses[id].command.trim() === ""
      ? [
          {
            level: "error",
            path: `harnesses.${id}.command`,
            message: "is empty",
            hint: "name the program, or remove the key",
          },
        ]
      : [],
  );
}

/**
 * Critics and those who are told need no secret of ours; a session may be given one by the
 * harness's own `passEnv`.
 */
function passedSecrets(
  ...[{ critics, notify, webhooks, integrations, store }, { copies }]: Parameters<Rule>
): readonly Finding[] {
  const { secretEnv, previousSecretEnv } = webhooks.hostWebhook;
  const secrets = [
    secretEnv,
    previousSecretEnv,
    integrations.codeHost.tokenEnv,
    store.urlEnv,
    ...copies.map(({ name }) => name),
  ];
  const found = (path: string, passEnv: readonly string[]): readonly Finding[] =>
    passEnv
      .filter((name) => secrets.includes(name))
      .map((name) => ({
        level: "error",
        path,
        message: `${name} holds a secret of loop's`,
        hint: "remove it; give the program a token of its own under another name",
      }));
  return [
    ...critics.flatMap(({ passEnv }, i) => found(`critics[${i}].passEnv`, passEnv)),
    ...notify.flatMap(({ passEnv }, i) => found(`notify[${i}].passEnv`, passEnv)),
  ];
}

/** A host's command line client may have been given the same token; whoever wants that says so. */
function copiedSecrets(...[{ harnesses }, { copies }]: Parameters<Rule>): readonly Finding[] {
  const passed = [...harnesses.A.passEnv, ...harnesses.B.passEnv];
  return copies
    .filter(({ name }) => !passed.includes(name))
    .map(({ name, of }): Finding => ({
      level: "warning",
      path: "harnesses.A.passEnv",
      message: `does not name ${name}, which holds the value of ${of}, so sessions and git do not get it`,
      hint: `add ${name} to harnesses.A.passEnv if they need it; a token of their own is safer`,
    }));
}

/** Harness B has no option for these, and who sets one must not believe that it does something. */
function unknownToB(...[, { set }]: Parameters<Rule>): readonly Finding[] {
  return ["harnesses.B.allowedTools", "harnesses.B.projectSettings"]
    .filter((path) => set.has(path))
    .map((path): Finding => ({
      level: "warning",
      path,
      message: "has no effect: Cursor has no such option",
      hint: "remove it, and set permissions in Cursor's own cli-config.json",
    }));
}

/** A budget that nothing counts toward would never hold anything. */
function untoldSpend({ routing }: Parameters<Rule>[0]): readonly Finding[] {
  if (routing.runner !== "tmux" || routing.budget.usd === null) return [];
  return [
    {
      level: "warning",
      path: "routing.budget.usd",
      message: "is not reached by turns in terminals, whose harness does not tell what they cost",
      hint: "set routing.budget.turns or .minutes, or routing.runner: headless",
    },
  ];
}

/** A second `--settings` takes the place of the first: the sandbox would be gone without a word. */
function ownSettings({ harnesses }: Parameters<Rule>[0]): readonly Finding[] {
  if (!harnesses.A.args.some((arg) => arg === "--settings" || arg.startsWith("--settings=")))
    return [];
  return [
    {
      level: "error",
      path: "harnesses.A.args",
      message: "holds --settings, which would replace the settings of loop's sandbox",
      hint: "put these settings into Claude Code's own settings.json (~/.claude), and remove --settings",
    },
  ];
}
