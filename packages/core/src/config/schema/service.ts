/** Keys of the services that `start` brings up: control plane, poller and receiver. */
export const serviceKeys = {
  type: "object",
  doc: "the control-plane service",
  keys: {
    enabled: { type: "boolean", default: true, doc: "`start` brings up the control-plane service" },
    host: {
      type: "string",
      form: "bind-host",
      default: "127.0.0.1",
      doc: "interface or IP that the control plane binds to; another one than loopback needs `service.exposed`",
    },
    port: { type: "integer", min: 1, max: 65535, default: 4114, doc: "port of the control plane" },
    exposed: {
      type: "boolean",
      default: false,
      doc: "allows `service.host` to be reachable from other machines",
    },
    allowedHosts: {
      type: "list",
      form: "domain",
      default: [],
      doc: "names under which an exposed control plane may be addressed; pages of https under them are its own",
    },
    mcp: {
      type: "object",
      doc: "`/mcp`",
      keys: {
        enabled: {
          type: "boolean",
          default: true,
          doc: "`/mcp` is served by the control plane's process",
        },
      },
    },
    hostIngresses: {
      type: "boolean",
      default: true,
      doc: "receiver and poller run inside the service process; false: each its own",
    },
    tokenFile: {
      type: "string",
      form: "path",
      default: null,
      doc: "file of the bearer token; `<state.root>/control-plane.token` when unset",
    },
    upgradeCommand: {
      type: "list",
      form: "argument",
      default: [],
      doc: "argv of `restart --with-upgrade`; empty: npm installs the newest exact version of @loopwork/cli",
    },
  },
} as const;

export const pollingKeys = {
  type: "object",
  doc: "the poller, for machines without a public URL",
  keys: {
    enabled: { type: "boolean", default: false, doc: "`start` brings up the poller" },
    intervalSeconds: {
      type: "integer",
      min: 5,
      max: 86400,
      default: 60,
      doc: "seconds between two polls",
    },
  },
} as const;

export const webhooksKeys = {
  type: "object",
  doc: "deliveries that the code host sends",
  keys: {
    hostWebhook: {
      type: "object",
      doc: "the webhook receiver",
      keys: {
        enabled: { type: "boolean", default: false, doc: "`start` brings up the receiver" },
        host: {
          type: "string",
          form: "bind-host",
          default: "127.0.0.1",
          doc: "interface or IP that the receiver binds to",
        },
        port: { type: "integer", min: 1, max: 65535, default: 8787, doc: "port of the receiver" },
        path: {
          type: "string",
          form: "url-path",
          default: "/host-webhook",
          doc: "HTTP path that takes deliveries",
        },
        publicUrl: {
          type: "string",
          form: "web-url",
          default: null,
          doc: "public address that leads to the receiver, as registered at the code host; with it a secret is required",
        },
        secretEnv: {
          type: "string",
          form: "variable",
          default: "LOOP_HOST_WEBHOOK_SECRET",
          doc: "NAME of the variable that holds the webhook secret, never the secret",
        },
        previousSecretEnv: {
          type: "string",
          form: "variable",
          default: null,
          doc: "NAME of the variable that holds the secret before, accepted while it is rotated",
        },
        allowUnsigned: {
          type: "boolean",
          default: false,
          doc: "without a secret, lets the receiver bind to another interface than loopback and accept requests from other machines",
        },
        dedupeBody: {
          type: "boolean",
          default: true,
          doc: "a verified delivery with the event and body of one of the last 7 days is a replay",
        },
        maxBodyBytes: {
          type: "integer",
          min: 1024,
          max: 268435456,
          default: 26214400,
          doc: "bytes of a body; a longer one is answered with 413",
        },
        pidfile: {
          type: "string",
          form: "path",
          default: null,
          doc: "file of the receiver's pid; `<state.root>/host-webhook.pid` when unset",
        },
        events: {
          type: "set",
          values: [
            "issues",
            "issue_comment",
            "pull_request",
            "pull_request_review",
            "pull_request_review_comment",
            "workflow_run",
            "check_run",
            "check_suite",
            "status",
          ],
          default: [
            "issues",
            "issue_comment",
            "pull_request",
            "pull_request_review",
            "pull_request_review_comment",
            "workflow_run",
            "check_run",
            "check_suite",
            "status",
          ],
          whenEmpty: "default",
          doc: "events that are looked at; empty means all nine",
        },
        routing: {
          type: "alias",
          of: "routing",
          doc: "another place for the keys of `routing`; the same key set differently in both is an error",
        },
      },
    },
  },
} as const;
