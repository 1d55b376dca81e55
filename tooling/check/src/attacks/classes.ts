/**
 * Attacks of the real harness, which are rows of `npm run test:real`; each makes them again without
 * what holds them off, as its control, and its title says so with these words.
 */
export type RowClass = { readonly name: string; readonly rows: string; readonly control: string };

export const rowClasses: readonly RowClass[] = [
  { name: "sandbox", rows: "HA-sandbox", control: "without the sandbox" },
  { name: "prompt", rows: "HA-order", control: "; without " },
];

/**
 * One kind of way in, and the test files that try it. Paths are relative to the root; a folder
 * stands for all test files in it.
 */
export type AttackClass = { readonly name: string; readonly files: readonly string[] };

/**
 * The suites of `npm run test:attacks`. Every test in these files is one attempt; a test whose
 * title begins with "control: " runs an attempt with its guard off and passes when that gets in. A
 * class without a control counts as failed.
 */
export const attackClasses: readonly AttackClass[] = [
  {
    name: "receiver",
    files: [
      "packages/receiver/test/connections.test.ts",
      "packages/receiver/test/hostile-input.test.ts",
      "packages/receiver/test/unsigned.test.ts",
      "packages/receiver/test/headers.test.ts",
      "packages/receiver/test/signature.test.ts",
      "packages/receiver/test/raw-body.test.ts",
    ],
  },
  {
    name: "authority",
    files: [
      "packages/core/test/accounts",
      "packages/core/test/control/authority.test.ts",
      "packages/core/test/text/mail/quoted-mail.test.ts",
      "packages/core/test/text/mail/mail-names.test.ts",
      "packages/core/test/text/quoted-parts.test.ts",
      "packages/core/test/control/visible-words.test.ts",
      "packages/cli/test/runtime/foreign-pull-request.long.test.ts",
      "packages/cli/test/runtime/grants-end.long.test.ts",
      "packages/cli/test/runtime/grants-untold.long.test.ts",
      "packages/cli/test/runtime/grants-renamed.long.test.ts",
      "packages/cli/test/runtime/reregistered.long.test.ts",
      "packages/cli/test/runtime/text-at-command.long.test.ts",
      "packages/cli/test/runtime/text-of-the-start.long.test.ts",
    ],
  },
  {
    name: "fence",
    files: [
      "packages/core/test/message",
      "packages/core/test/own-writing",
      "packages/core/test/turn/prompt.test.ts",
      "packages/cli/test/runtime/agents-comment.test.ts",
      "packages/workspace/test/fenced-note.test.ts",
    ],
  },
  {
    name: "control plane",
    files: [
      "packages/control-plane/test/safety.test.ts",
      "packages/control-plane/test/server.test.ts",
      "packages/cli/test/start/failed-tokens.test.ts",
      "packages/cli/test/start/token-file.test.ts",
    ],
  },
  {
    name: "network",
    files: [
      "packages/codehost/test/redirects.test.ts",
      "packages/cli/test/start/redirects.test.ts",
    ],
  },
  {
    name: "checkout",
    files: [
      "packages/workspace/test/left-behind.long.test.ts",
      "packages/workspace/test/replaced.long.test.ts",
      "packages/workspace/test/planted-links.long.test.ts",
      "packages/workspace/test/restore.long.test.ts",
      "packages/workspace/test/head-attributes.long.test.ts",
      "packages/workspace/test/large-files.long.test.ts",
      "packages/workspace/test/left-config.long.test.ts",
      "packages/workspace/test/hooks-folder.long.test.ts",
      "packages/workspace/test/imports.test.ts",
      "packages/workspace/test/tripwires.long.test.ts",
      "packages/cli/test/runtime/children.long.test.ts",
      "packages/cli/test/runtime/guest-predicate.long.test.ts",
      "packages/cli/test/turn-folder/turn-folder.test.ts",
      "packages/cli/test/runtime/strangers-head.long.test.ts",
    ],
  },
  {
    name: "state",
    files: [
      "packages/cli/test/state/state-in-work-tree.long.test.ts",
      "packages/cli/test/configuration/env-file.long.test.ts",
      "packages/cli/test/file-ownership/safe-file.test.ts",
      "packages/cli/test/state/state-root.long.test.ts",
      "packages/cli/test/detach/pidfile.test.ts",
      "packages/cli/test/output/human.test.ts",
      "packages/cli/test/start/untrusted-config.long.test.ts",
      "packages/cli/test/configuration/config-in-checkout.test.ts",
      "packages/cli/test/git/ask-git.long.test.ts",
      "packages/codehost/test/marker.test.ts",
    ],
  },
  {
    name: "graph",
    files: [
      "packages/core/test/graph/gate.test.ts",
      "packages/core/test/graph/guards.test.ts",
      "packages/core/test/graph/hear.test.ts",
      "packages/cli/test/runtime/graph/agents-approval.long.test.ts",
      "packages/cli/test/runtime/graph/refused.long.test.ts",
    ],
  },
];
