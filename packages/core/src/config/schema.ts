import type { Node, ValueOf } from "./schema/node.ts";
import {
  harnessesKeys,
  instanceKeys,
  integrationsKeys,
  loggingKeys,
  retentionKeys,
  storeKeys,
} from "./schema/others.ts";
import { routingKeys } from "./schema/routing.ts";
import { pollingKeys, serviceKeys, webhooksKeys } from "./schema/service.ts";

const stateKeys = {
  type: "object",
  doc: "state files",
  keys: {
    root: {
      type: "string",
      form: "path",
      default: ".loop",
      doc: "base of the state files; `.loop` in a git work tree means a folder of `~/.loop/state`, and any other path there is refused",
    },
  },
} as const;
const envKeys = {
  type: "object",
  doc: "variables",
  keys: {
    file: {
      type: "string",
      form: "path",
      default: null,
      doc: "`.env` file that is loaded before any variable is read; never overrides one that is set",
    },
  },
} as const;
const workspaceKeys = {
  type: "object",
  doc: "checkouts",
  keys: {
    defaultHost: {
      type: "string",
      form: "domain",
      default: null,
      doc: "domain in checkout paths where a payload names none; `integrations.codeHost.host` when unset",
    },
  },
} as const;
const criticsKeys = {
  type: "records",
  doc: "roster of the critics that review finished work",
  keys: {
    name: { type: "string", form: "text", default: "", required: true, doc: "name of the critic" },
    command: {
      type: "list",
      form: "argument",
      default: [],
      doc: "argv, run in the checkout without a shell; what to judge stands on standard input as JSON, the verdict on standard output (docs/how-to/process-graph.md)",
    },
    deadlineSeconds: {
      type: "integer",
      min: 1,
      max: 86400,
      default: 600,
      doc: "seconds after which it is stopped and gave no verdict",
    },
    harness: {
      type: "enum",
      values: ["A", "B"],
      default: null,
      doc: "harness that judges in one message where there is no `command`; `routing.defaultHarness` when unset",
    },
    prompt: {
      type: "string",
      form: "template",
      default: null,
      doc: "what it looks for; handed to the command too",
    },
    passEnv: {
      type: "list",
      form: "variable",
      default: [],
      doc: "NAMES of variables that the command gets beside those that any program needs; no secret of loop's",
    },
  },
} as const;
const learningsKeys = {
  type: "object",
  doc: "what sessions learn",
  keys: {
    classifier: {
      type: "object",
      doc: "a harness that is asked in one message what a candidate means for known facts, where the service is not sure",
      keys: {
        enabled: {
          type: "boolean",
          default: false,
          doc: "it is asked; false: what loses least is done",
        },
        harness: {
          type: "enum",
          values: ["A", "B"],
          default: null,
          doc: "harness that is asked; `routing.defaultHarness` when unset",
        },
        deadlineSeconds: {
          type: "integer",
          min: 1,
          max: 3600,
          default: 60,
          doc: "seconds for all questions of one consolidation, at most five",
        },
      },
    },
  },
} as const;
const notifyKeys = {
  type: "records",
  doc: "who is told, once per change; either `command` or `url`",
  keys: {
    on: {
      type: "set",
      values: ["held", "uncertain", "waiting", "failed"],
      default: ["held", "uncertain", "waiting", "failed"],
      whenEmpty: "default",
      doc: "changes that are told",
    },
    command: {
      type: "list",
      form: "argument",
      default: [],
      doc: "argv; the change stands on standard input as JSON",
    },
    url: {
      type: "string",
      form: "web-url",
      default: null,
      doc: "URL that the change is posted to as JSON",
    },
    passEnv: {
      type: "list",
      form: "variable",
      default: [],
      doc: "NAMES of variables that the command gets beside those that any program needs; no secret of loop's",
    },
    allowInsecureHttp: {
      type: "boolean",
      default: false,
      doc: "allows an `http:` `url` on another machine",
    },
  },
} as const;
const promptTemplateKey = {
  type: "string",
  form: "template",
  default: null,
  doc: "template of the prompt's task; `$work_item $event $action $repository $delivery_id $payload_excerpt $interaction_directive` are replaced",
} as const;
const harnessArgsKey = {
  type: "alias",
  of: "harnesses.{default}.args",
  doc: "another place for the `args` of the default harness",
} as const;

/** Every key of `cli-config.yaml`: the one table that everything about configuration comes from. */
export const configSchema: {
  readonly type: "object";
  readonly doc: string;
  readonly keys: {
    readonly service: typeof serviceKeys;
    readonly polling: typeof pollingKeys;
    readonly webhooks: typeof webhooksKeys;
    readonly state: typeof stateKeys;
    readonly env: typeof envKeys;
    readonly store: typeof storeKeys;
    readonly routing: typeof routingKeys;
    readonly harnesses: typeof harnessesKeys;
    readonly workspace: typeof workspaceKeys;
    readonly integrations: typeof integrationsKeys;
    readonly instance: typeof instanceKeys;
    readonly promptTemplate: typeof promptTemplateKey;
    readonly harnessArgs: typeof harnessArgsKey;
    readonly critics: typeof criticsKeys;
    readonly learnings: typeof learningsKeys;
    readonly notify: typeof notifyKeys;
    readonly retention: typeof retentionKeys;
    readonly logging: typeof loggingKeys;
  };
} = {
  type: "object",
  doc: "configuration of the command `loop`",
  keys: {
    service: serviceKeys,
    polling: pollingKeys,
    webhooks: webhooksKeys,
    state: stateKeys,
    env: envKeys,
    store: storeKeys,
    routing: routingKeys,
    harnesses: harnessesKeys,
    workspace: workspaceKeys,
    integrations: integrationsKeys,
    instance: instanceKeys,
    promptTemplate: promptTemplateKey,
    harnessArgs: harnessArgsKey,
    critics: criticsKeys,
    learnings: learningsKeys,
    notify: notifyKeys,
    retention: retentionKeys,
    logging: loggingKeys,
  },
};

/**
 * The configuration with every default filled in; what an alias was set to stands at its own place.
 */
export type Config = ValueOf<typeof configSchema>;

/** Every key of the table with its path, parents before their children. */
export function schemaKeys(
  node: Node = configSchema,
  path: readonly string[] = [],
): readonly { readonly path: readonly string[]; readonly node: Node }[] {
  if (node.type !== "object") return [];
  return Object.entries(node.keys).flatMap(([name, child]) => {
    const at = [...path, name];
    return [{ path: at, node: child }, ...schemaKeys(child, at)];
  });
}
