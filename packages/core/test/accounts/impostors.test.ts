import { describe, expect, test } from "vitest";
import { policyOf } from "../../src/config/derive-policy.ts";
import { parseConfig } from "../../src/config/parse.ts";
import { readControl } from "../../src/control/keyword.ts";
import type { Policy } from "../../src/config/policy.ts";
import { settle, understand } from "../../src/flow.ts";
import type { Decided } from "../../src/decide/decision-row.ts";
import { itemOf, sessionOf, stateOf } from "../../src/testing/build-state.ts";

const now = "2026-03-01T12:00:00Z";
const repository = {
  id: 500,
  name: "shop",
  full_name: "octo/shop",
  owner: { login: "octo", id: 5 },
  html_url: "https://github.com/octo/shop",
  clone_url: "https://github.com/octo/shop.git",
  default_branch: "main",
};
const issue = {
  id: 10007,
  number: 7,
  title: "Cart forgets its items",
  body: "It does.",
  state: "open",
  labels: [{ name: "loop: auto-execute" }],
  user: { login: "alice", id: 1, type: "User" },
  html_url: "https://github.com/octo/shop/issues/7",
  updated_at: now,
};
const working = itemOf("started", { sessions: [sessionOf()] });

type User = Readonly<Record<string, unknown>>;
type Row = readonly [how: string, sender: User, listed: readonly string[], over?: Over];
type Over = {
  readonly author?: User | null;
  readonly pinned?: string;
  readonly pinnedAs?: readonly string[];
  readonly comment?: User;
};

function policyWith(listed: readonly string[]): Policy {
  const parsed = parseConfig(`routing: { authorizedUsers: ${JSON.stringify(listed)} }\n`, {
    file: "cli-config.yaml",
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return policyOf(parsed.config);
}

/**
 * "go on" on issue 7 in the host's own payload, decided with a configuration that lists `listed`.
 */
function said(
  sender: User | null,
  listed: readonly string[],
  { author = sender, pinned, pinnedAs, comment }: Over = {},
): Decided {
  const policy = policyWith(listed);
  const payload = {
    action: "created",
    issue,
    repository,
    sender,
    comment: {
      id: 4242,
      body: "go on",
      created_at: now,
      updated_at: now,
      user: author,
      ...comment,
    },
  };
  const understood = understand(
    { id: "d-1", source: "webhook", event: "issue_comment" },
    JSON.stringify(payload),
    policy,
  );
  if (!understood.ok) throw new Error(understood.why);
  return settle(
    understood.event,
    stateOf({
      item: working,
      pinnedActorId: pinned ?? null,
      ...(pinnedAs === undefined ? {} : { pinnedAs }),
    }),
    policy,
  );
}

const kim = { login: "kim", id: 6, type: "User" };
const copilot = { login: "Copilot", id: 175728472, type: "Bot" };
const copilotReviewer = { login: "copilot-pull-request-reviewer[bot]", id: 175728472, type: "Bot" };
const copilotAgent = { login: "Copilot", id: 198982749, type: "Bot" };

const impostors: readonly Row[] = [
  ["a Kelvin sign in place of k", { ...kim, login: "\u212Aim" }, ["kim"]],
  ["a long s in place of s", { ...kim, login: "a\u017Fa" }, ["asa"]],
  ["a dotless i in place of i", { ...kim, login: "k\u0131m" }, ["kim"]],
  ["a dotted capital I in place of i", { ...kim, login: "K\u0130M" }, ["kim"]],
  ["fullwidth letters", { ...kim, login: "\uFF4B\uFF49\uFF4D" }, ["kim"]],
  ["a trailing space", { ...kim, login: "kim " }, ["kim"]],
  ["a trailing line break", { ...kim, login: "kim\n" }, ["kim"]],
  ["a zero-width space", { ...kim, login: "kim\u200B" }, ["kim"]],
  ["a NUL", { ...kim, login: "kim\0" }, ["kim"]],
  ["an @ before it", { ...kim, login: "@kim" }, ["kim"]],
  [
    "a person with the login of a listed bot",
    { login: "helper[bot]", id: 7, type: "User" },
    ["helper[bot]"],
  ],
  [
    "a bot's login that the source doesn't call a bot",
    { login: "helper[bot]", id: 7 },
    ["helper[bot]"],
  ],
  ["a person with a listed bot's name", { login: "helper", id: 7, type: "User" }, ["helper[bot]"]],
  [
    "an organization with a listed bot's name",
    { login: "helper", id: 7, type: "Organization" },
    ["helper[bot]"],
  ],
  ["a bot with a listed person's name", { login: "helper[bot]", id: 8, type: "Bot" }, ["helper"]],
  [
    "a bot with a listed person's name, without its suffix",
    { login: "helper", id: 8, type: "Bot" },
    ["helper"],
  ],
  [
    "a person named Copilot where the reviewer is listed",
    { ...copilot, type: "User", id: 9 },
    ["copilot-pull-request-reviewer[bot]"],
  ],
  [
    "a person named Copilot where Copilot's bots are listed by that name",
    { ...copilot, type: "User", id: 9 },
    ["Copilot"],
  ],
  [
    "a bot of the reviewer's name under another id where Copilot is listed",
    { ...copilotReviewer, id: 9 },
    ["Copilot"],
  ],
  [
    "a bot that calls itself Copilot under another id where Copilot is listed",
    { ...copilot, id: 9 },
    ["Copilot"],
  ],
  [
    "another of the bots that are shown as Copilot",
    copilotAgent,
    ["copilot-pull-request-reviewer[bot]"],
  ],
  [
    "a bot that calls itself Copilot under another id",
    { ...copilot, id: 9 },
    ["copilot-pull-request-reviewer[bot]"],
  ],
  ["a re-registered login", { ...kim, id: 66 }, ["kim"], { pinned: "6" }],
  ["a pinned login without an id", { login: "kim", type: "User" }, ["kim"], { pinned: "6" }],
  ["a pinned login with a negative id", { ...kim, id: -6 }, ["kim"], { pinned: "6" }],
  ["a pinned login with the id 0", { ...kim, id: 0 }, ["kim"], { pinned: "6" }],
  ["a pinned login with a fraction as id", { ...kim, id: 6.5 }, ["kim"], { pinned: "6" }],
  [
    "a pinned login with an id that lost digits",
    { ...kim, id: 2 ** 53 + 2 },
    ["kim"],
    { pinned: String(2 ** 53 + 2) },
  ],
  ["a pinned login with an id in another spelling", { ...kim, id: "06" }, ["kim"], { pinned: "6" }],
  ["a pinned login with a list as id", { ...kim, id: ["6"] }, ["kim"], { pinned: "6" }],
  [
    "a bot with the id of a listed person",
    { login: "kim[bot]", id: 6, type: "Bot" },
    ["kim"],
    { pinnedAs: ["kim"] },
  ],
  [
    "a person with the id of a listed bot",
    { login: "helper", id: 8, type: "User" },
    ["helper[bot]"],
    { pinnedAs: ["helper[bot]"] },
  ],
  [
    "an app that acted for somebody",
    kim,
    ["helper[bot]"],
    { comment: { performed_via_github_app: { id: 3, slug: "helper", owner: { login: "octo" } } } },
  ],
  [
    "the service account behind edits in the browser",
    { login: "web-flow", id: 19864447, type: "User" },
    ["kim"],
  ],
  ["a sender of one id and an author of another", kim, ["kim"], { author: { ...kim, id: 66 } }],
  ["a listed sender under a comment of a deleted account", kim, ["kim"], { author: null }],
  [
    "a bot as the author, a person of its name as the sender",
    kim,
    ["kim"],
    { author: { login: "kim", type: "Bot" } },
  ],
  [
    "two accounts whose ids are both 0",
    { ...kim, id: 0 },
    ["kim"],
    { author: { login: "eve", id: 0, type: "User" } },
  ],
];

describe("an impostor of a listed account isn't heard", () => {
  for (const [how, sender, listed, over] of impostors) {
    test(how, () => {
      expect(said(sender, listed, over).decision).toMatchObject({
        verdict: { kind: "ignored" },
        effects: [],
      });
    });
  }
});

test("control: without its pin, an account that registered a listed login anew is heard", () => {
  expect(said({ ...kim, id: 66 }, ["kim"]).decision.reason).toBe("input-of-authorized");
});

const heard: readonly Row[] = [
  ["in any ASCII case", { ...kim, login: "KIM" }, ["kim"]],
  ["listed in any ASCII case", kim, ["KIM"]],
  ["whose id is a text", { ...kim, id: "6" }, ["kim"], { pinned: "6" }],
  ["of a host that says nothing about bots", { login: "kim", id: 6 }, ["kim"]],
  [
    "acting through an app",
    kim,
    ["kim"],
    { comment: { performed_via_github_app: { id: 3, slug: "helper" } } },
  ],
  [
    "that was renamed, by its pinned id",
    { ...kim, login: "kim-lovelace" },
    ["kim"],
    { pinnedAs: ["kim"] },
  ],
  [
    "that was renamed to a login which was pinned to another id",
    { ...kim, login: "ada" },
    ["kim"],
    { pinned: "77", pinnedAs: ["kim"] },
  ],
  [
    "that is a bot which was renamed, by its pinned id",
    { login: "helper-2[bot]", id: 8, type: "Bot" },
    ["helper[bot]"],
    { pinnedAs: ["helper[bot]"] },
  ],
  [
    "that is a bot, by its full name",
    { login: "helper[bot]", id: 8, type: "Bot" },
    ["helper[bot]"],
  ],
  [
    "that is a bot, shown without its suffix",
    { login: "helper", id: 8, type: "Bot" },
    ["Helper[bot]"],
  ],
  [
    "that is Copilot's reviewer under both of its names",
    copilot,
    ["Copilot"],
    { author: copilotReviewer },
  ],
  ["that is Copilot's reviewer, by its full name", copilotReviewer, ["Copilot"]],
  [
    "that is Copilot's reviewer, listed by its full name",
    copilot,
    ["copilot-pull-request-reviewer[bot]"],
    { author: copilotReviewer },
  ],
  ["that is Copilot's coding agent", copilotAgent, ["copilot-swe-agent[bot]"]],
  ["with a hyphen at its end", { ...kim, login: "bo-" }, ["bo-"]],
  ["with two hyphens in a row", { ...kim, login: "Bo--X" }, ["bo--x"]],
  ["of a managed user", { ...kim, login: "ada_corp" }, ["ada_corp"]],
  ["with dots", { ...kim, login: "ada.lovelace" }, ["ada.lovelace"]],
];

describe("a listed account is heard", () => {
  for (const [how, sender, listed, over] of heard) {
    test(how, () => {
      expect(said(sender, listed, over).decision.reason).toBe("input-of-authorized");
    });
  }
});

test("a review that names Copilot by both of its logins is delivered", () => {
  const policy = policyWith(["Copilot"]);
  const head = { ref: "issue-7", sha: "a".repeat(40), repo: { id: 500, full_name: "octo/shop" } };
  const pull = { ...issue, id: 20012, number: 12, head, base: { ref: "main", repo: { id: 500 } } };
  const review = {
    id: 9041,
    user: copilotReviewer,
    body: "## Overview\nrename it",
    commit_id: head.sha,
    submitted_at: now,
    state: "commented",
  };
  const understood = understand(
    { id: "d-1", source: "webhook", event: "pull_request_review" },
    JSON.stringify({
      action: "submitted",
      review,
      pull_request: pull,
      repository,
      sender: copilot,
    }),
    policy,
  );
  if (!understood.ok) throw new Error(understood.why);
  expect(settle(understood.event, stateOf({ item: working }), policy).decision).toMatchObject({
    verdict: { kind: "delivered" },
    reason: "input-of-authorized",
  });
});

test("first sight pins a bot under its full name, however the source spells it", () => {
  expect(said({ login: "helper", id: 8, type: "Bot" }, ["helper[bot]"]).pin).toEqual({
    login: "helper[bot]",
    id: "8",
  });
  expect(said(copilot, ["Copilot"], { author: copilotReviewer }).pin).toEqual({
    login: "copilot-pull-request-reviewer[bot]",
    id: "175728472",
  });
});

test.each(["bo-", "bo--x", "ada_corp", "ada.lovelace", "_ada", "a".repeat(39)])(
  "a grant can name @%s",
  (login) => {
    expect(
      readControl(`loop add-collaborator @${login}`, {
        start: "loop start",
        stop: "",
        pause: "",
        resume: "",
        cleanup: "",
        "add-collaborator": "loop add-collaborator",
        "remove-collaborator": "",
      }),
    ).toMatchObject({ kind: "command", login });
  },
);

test.each([
  "k im",
  "kim\n",
  "@kim",
  "kim@corp",
  "..",
  ".",
  "-",
  "--",
  "-kim",
  "_",
  "k`m",
  "k*m",
  "[kim](x)",
  "<kim>",
  "\u212Aim",
  "kim\u200B",
  "kim[bot][bot]",
  "[bot]",
  "a/b",
  "a\\b",
  "a:b",
  "",
])("a configuration can't list %j", (login) => {
  expect(
    parseConfig(`routing: { authorizedUsers: [${JSON.stringify(login)}] }\n`, {
      file: "cli-config.yaml",
    }).ok,
  ).toBe(false);
});
