/** Keys of routing: from a delivery to a turn of a session. */
export const routingKeys = {
  type: "object",
  doc: "from a delivery to a turn of a session",
  keys: {
    enabled: {
      type: "boolean",
      default: true,
      doc: "false: deliveries are stored and ignored with the reason",
    },
    spawnOnUnmatched: {
      type: "enum",
      values: ["labeled", "never"],
      default: "labeled",
      doc: "`labeled`: armed work items may spawn a session; `never`: no session is spawned",
    },
    repositories: {
      type: "list",
      form: "repository",
      default: [],
      doc: "`owner/name` of each repository that is listened to; empty: any, and the poller has nothing to do",
    },
    autoExecuteLabel: {
      type: "string",
      form: "label",
      default: "loop: auto-execute",
      doc: "label that arms a work item",
    },
    authorizedUsers: {
      type: "list",
      form: "login",
      default: [],
      doc: "logins that may steer and satisfy human gates, bots as `name[bot]`; empty: nobody",
    },
    control: {
      type: "object",
      doc: "control keywords",
      keys: {
        requireStartCommand: {
          type: "boolean",
          default: true,
          doc: "an armed work item spawns only after a start",
        },
        keywords: {
          type: "object",
          doc: 'text of each keyword; "" disables it',
          keys: {
            start: {
              type: "string",
              form: "keyword",
              default: "loop start",
              doc: "starts work on an armed item",
            },
            stop: {
              type: "string",
              form: "keyword",
              default: "loop stop",
              doc: "ends turn and session, keeps the checkout, disarms",
            },
            pause: {
              type: "string",
              form: "keyword",
              default: "loop pause",
              doc: "holds delivery after the running turn",
            },
            resume: {
              type: "string",
              form: "keyword",
              default: "loop resume",
              doc: "goes on with what waits",
            },
            cleanup: {
              type: "string",
              form: "keyword",
              default: "loop cleanup",
              doc: "releases everything local; must begin a line",
            },
            "add-collaborator": {
              type: "string",
              form: "keyword",
              default: "loop add-collaborator",
              doc: "lets one login speak on one work item",
            },
            "remove-collaborator": {
              type: "string",
              form: "keyword",
              default: "loop remove-collaborator",
              doc: "takes that back",
            },
          },
        },
      },
    },
    interaction: {
      type: "object",
      doc: "how a session asks",
      keys: {
        mode: {
          type: "enum",
          values: ["work-item", "cli"],
          default: "work-item",
          unknown: "warn",
          doc: "where a session takes its answers from: the work item's thread or the command line",
        },
      },
    },
    runner: {
      type: "enum",
      values: ["headless", "tmux"],
      default: "headless",
      doc: "how turns are run: tmux gives each session of harness A a terminal to which `loop sessions attach` leads",
    },
    spawnWorkdir: {
      type: "string",
      form: "path",
      default: ".",
      doc: "git work tree in which sessions run while `routing.workspace.root` is empty",
    },
    defaultHarness: {
      type: "enum",
      values: ["A", "B"],
      default: "A",
      doc: "harness of a new session; the label `loop: harness-b` chooses B",
    },
    maxConcurrentTurns: {
      type: "integer",
      min: 1,
      max: 256,
      default: 4,
      doc: "turns that run at the same time, over all lanes",
    },
    turnTimeoutSeconds: {
      type: "integer",
      min: 10,
      max: 86400,
      default: 3600,
      doc: "seconds after which a turn's process group is stopped",
    },
    trustForkBranches: {
      type: "boolean",
      default: false,
      doc: "what a pull request from anybody's fork says of itself (branch `issue-<n>`, closing keywords) counts for the issue",
    },
    ownActivity: {
      type: "enum",
      values: ["ignore", "wake"],
      default: "ignore",
      doc: "whether a session's own pushes, pull requests and labels wake it",
    },
    coalesce: {
      type: "object",
      doc: "events that wait merge into one turn",
      keys: {
        quietSeconds: {
          type: "integer",
          min: 0,
          max: 3600,
          default: 5,
          doc: "seconds that the newest event must be old",
        },
        maxSeconds: {
          type: "integer",
          min: 0,
          max: 86400,
          default: 30,
          doc: "seconds after which the oldest event waits no longer",
        },
      },
    },
    loopBreaker: {
      type: "object",
      doc: "stops sessions that only answer machines",
      keys: {
        turns: {
          type: "integer",
          min: 1,
          max: 10000,
          default: 12,
          doc: "that many turns without a human event hold the lane once",
        },
        windowMinutes: {
          type: "integer",
          min: 1,
          max: 10080,
          default: 30,
          doc: "minutes within which they count",
        },
      },
    },
    budget: {
      type: "object",
      doc: "bounds of one work item; reaching one holds the lane, `resume` grants the same amount again",
      keys: {
        turns: { type: "integer", min: 1, max: 1000000, default: null, doc: "turns" },
        usd: {
          type: "number",
          min: 0.01,
          max: 1000000,
          default: null,
          doc: "US dollars as the harness reports them",
        },
        minutes: {
          type: "number",
          min: 0.1,
          max: 1000000,
          default: null,
          doc: "minutes of running turns",
        },
      },
    },
    ci: {
      type: "object",
      doc: "check results",
      keys: {
        wakeOn: {
          type: "enum",
          values: ["changes", "all", "never"],
          default: "changes",
          doc: "`changes`: the first failure of a check for a head, and the recovery after one",
        },
      },
    },
    harnessTrust: {
      type: "object",
      doc: "preparation of the harness before a spawn",
      keys: {
        enabled: {
          type: "boolean",
          default: true,
          doc: "marks the spawn directory as trusted in the harness's user configuration",
        },
        scope: {
          type: "enum",
          values: ["workspace-root", "directory"],
          default: "workspace-root",
          doc: "whether trust also covers `routing.workspace.root`",
        },
      },
    },
    workspace: {
      type: "object",
      doc: "checkouts",
      keys: {
        root: {
          type: "string",
          form: "path",
          default: "",
          doc: "folder of the checkouts; empty: every session runs in `routing.spawnWorkdir`",
        },
        strategy: {
          type: "enum",
          values: ["worktree", "clone"],
          default: "worktree",
          doc: "one worktree a work item beside a shared clone, or full clones",
        },
        keepCheckoutOnClose: {
          type: "boolean",
          default: false,
          doc: "keeps the checkout after the work item ends",
        },
        checkoutAnyHead: {
          type: "boolean",
          default: false,
          doc: "checks out heads of forks and strangers too",
        },
        pool: {
          type: "integer",
          min: 0,
          max: 64,
          default: 0,
          doc: "warm worktrees kept per repository",
        },
        salvageDays: {
          type: "integer",
          min: 0,
          max: 3650,
          default: 14,
          doc: "days that work saved at a release is kept",
        },
      },
    },
    graph: {
      type: "object",
      doc: "the graph of personas",
      keys: {
        specDir: {
          type: "string",
          form: "path",
          default: "",
          doc: "folder of the artifacts inside of the checkout, in repositories that chose loop; those of others lie in the state root; empty: no graph",
        },
        definition: {
          type: "string",
          form: "path",
          default: null,
          doc: "YAML file with graphs of your own, never one of a checkout; the bundled ones when unset (`loop graph show --definition` prints them)",
        },
        deadlineSeconds: {
          type: "integer",
          min: 1,
          max: 86400,
          default: 3600,
          doc: "seconds after which all hooks and critics that run after one turn are ended together",
        },
        hooks: {
          type: "records",
          doc: "the operator's own checks of nodes",
          keys: {
            node: {
              type: "string",
              form: "text",
              default: "",
              required: true,
              doc: "id of the node",
            },
            command: {
              type: "list",
              form: "argument",
              default: [],
              doc: "argv that must exit 0 before the node is complete; run in the checkout, without a shell",
            },
            deadlineSeconds: {
              type: "integer",
              min: 1,
              max: 86400,
              default: 600,
              doc: "seconds after which it is stopped and counts as failed",
            },
          },
        },
      },
    },
  },
} as const;
