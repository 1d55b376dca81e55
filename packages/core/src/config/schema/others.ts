/** Keys of state, harnesses, code host, instance and what is kept or told. */
export const harnessesKeys = {
  type: "object",
  doc: "the two supported harnesses",
  keys: {
    A: {
      type: "object",
      doc: "harness A",
      keys: {
        command: { type: "string", form: "argument", default: "claude", doc: "program" },
        args: { type: "list", form: "argument", default: [], doc: "extra arguments" },
        env: {
          type: "map",
          form: "argument",
          default: {},
          doc: "extra variables; secrets belong into `passEnv`",
        },
        passEnv: {
          type: "list",
          form: "variable",
          default: [],
          doc: "NAMES of variables that the child keeps although they would be removed",
        },
        permissions: {
          type: "enum",
          values: ["guarded", "bypass"],
          default: "guarded",
          doc: "`guarded`: edits and a list of tools; `bypass`: everything, by the harness's own flag",
        },
        allowedTools: {
          type: "list",
          form: "tool",
          default: [
            "npm",
            "pnpm",
            "yarn",
            "npx",
            "node",
            "make",
            "cargo",
            "go",
            "python",
            "pytest",
            "mvn",
            "gradle",
          ],
          doc: "programs that a guarded session may run, beside git, the host's CLI and `loop`",
        },
        projectSettings: {
          type: "boolean",
          default: false,
          doc: "the checkout's own settings and hooks load too",
        },
        sandbox: {
          type: "enum",
          values: ["auto", "required", "off"],
          default: "auto",
          doc: "Claude Code's sandbox around every command of a turn. `auto`: on where this machine can; `required`: hold turns where it can't; `off`: never",
        },
        sandboxDomains: {
          type: "list",
          form: "domain",
          default: [],
          doc: "domains that sandboxed commands may reach, beside the code host and npm's configured registry",
        },
        sandboxRead: {
          type: "list",
          form: "path",
          // Toolchains that people install in their home, without the files in which those keep
          // logins; and what `git push` and `gh` need.
          default: [
            "~/.gitconfig",
            "~/.config/git/config",
            "~/.config/git/ignore",
            "~/.config/git/attributes",
            "~/.git-credentials",
            "~/.config/gh",
            "~/.local/bin",
            "~/.nvm",
            "~/.volta",
            "~/.fnm",
            "~/.local/share/fnm",
            "~/.local/share/mise",
            "~/.local/share/pnpm",
            "~/.asdf",
            "~/.bun/bin",
            "~/.deno/bin",
            "~/.cargo/bin",
            "~/.cargo/env",
            "~/.cargo/registry",
            "~/.cargo/git",
            "~/.rustup",
            "~/go/bin",
            "~/go/pkg",
            "~/.pyenv",
            "~/.local/share/uv/python",
            "~/.local/share/uv/tools",
            "~/.rbenv",
            "~/.sdkman",
          ],
          doc: "files and folders of the home that sandboxed commands may read; replaces the default list",
        },
        sandboxWrite: {
          type: "list",
          form: "path",
          default: [],
          doc: "existing folders that sandboxed commands may write to, such as a build cache; every turn shares them",
        },
        sandboxExclude: {
          type: "list",
          form: "argument",
          default: [],
          doc: "commands that run outside the sandbox, such as `docker *`",
        },
      },
    },
    B: {
      type: "object",
      doc: "harness B",
      keys: {
        command: { type: "string", form: "argument", default: "cursor-agent", doc: "program" },
        args: { type: "list", form: "argument", default: [], doc: "extra arguments" },
        env: {
          type: "map",
          form: "argument",
          default: {},
          doc: "extra variables; secrets belong into `passEnv`",
        },
        passEnv: {
          type: "list",
          form: "variable",
          default: [],
          doc: "NAMES of variables that the child keeps although they would be removed",
        },
        permissions: {
          type: "enum",
          values: ["guarded", "bypass"],
          default: "guarded",
          doc: "`guarded`: what Cursor's own `cli-config.json` allows; `bypass`: everything, by the harness's own flag",
        },
        allowedTools: {
          type: "list",
          form: "tool",
          default: [
            "npm",
            "pnpm",
            "yarn",
            "npx",
            "node",
            "make",
            "cargo",
            "go",
            "python",
            "pytest",
            "mvn",
            "gradle",
          ],
          doc: "no effect: Cursor's own `cli-config.json` says which programs a guarded session may run",
        },
        projectSettings: {
          type: "boolean",
          default: false,
          doc: "no effect: Cursor always loads the checkout's own settings, rules and hooks",
        },
      },
    },
  },
} as const;

export const integrationsKeys = {
  type: "object",
  doc: "other services",
  keys: {
    codeHost: {
      type: "object",
      doc: "the code host",
      keys: {
        dialect: {
          type: "enum",
          values: ["auto", "host", "github", "gitea", "forgejo"],
          default: "auto",
          doc: "family of headers and API; `auto` takes whichever is there",
        },
        host: {
          type: "string",
          form: "domain",
          default: "github.com",
          doc: "domain of the code host",
        },
        apiBaseUrl: {
          type: "string",
          form: "web-url",
          default: null,
          doc: "base URL of its API; derived from `host` when unset",
        },
        allowInsecureHttp: {
          type: "boolean",
          default: false,
          doc: "allows an `http:` `apiBaseUrl` on another machine, which sends the token readable",
        },
        tokenEnv: {
          type: "string",
          form: "variable",
          default: "LOOP_HOST_TOKEN",
          doc: "NAME of the variable that holds the API token, never the token",
        },
      },
    },
  },
} as const;

export const instanceKeys = {
  type: "object",
  doc: "this instance among others",
  keys: {
    name: {
      type: "string",
      form: "instance-name",
      default: "default",
      doc: "name in addresses `instance:<name>`; must be set for scope `addressed` and for PostgreSQL",
    },
    scope: {
      type: "object",
      doc: "what happens to a NEW work item",
      keys: {
        mode: {
          type: "enum",
          values: ["open", "addressed", "locked"],
          default: "open",
          doc: "`open`: any armed, authorized start; `addressed`: only one that names this instance; `locked`: nothing new",
        },
        workItems: {
          type: "list",
          form: "ref",
          default: [],
          doc: "refs that this instance manages in every mode",
        },
      },
    },
  },
} as const;

export const storeKeys = {
  type: "object",
  doc: "where everything durable is",
  keys: {
    url: {
      type: "string",
      form: "store-url",
      default: null,
      doc: "`sqlite:<path>`; `sqlite:<state.root>/loop.db` when unset",
    },
    urlEnv: {
      type: "string",
      form: "variable",
      default: null,
      doc: "NAME of the variable that holds a `postgres://` URL",
    },
  },
} as const;

export const retentionKeys = {
  type: "object",
  doc: "how long things are kept; ids and digests are kept for good",
  keys: {
    bodiesDays: {
      type: "integer",
      min: 1,
      max: 36500,
      default: 30,
      doc: "days for bodies of deliveries",
    },
    eventsDays: { type: "integer", min: 1, max: 36500, default: 90, doc: "days for the event log" },
  },
} as const;

export const loggingKeys = {
  type: "object",
  doc: "logs; they rotate by size",
  keys: {
    level: {
      type: "enum",
      values: ["debug", "info", "warn", "error"],
      default: "info",
      doc: "least level that is written",
    },
    format: {
      type: "enum",
      values: ["auto", "pretty", "json"],
      default: "auto",
      doc: "`auto`: pretty on a terminal, json otherwise",
    },
  },
} as const;
