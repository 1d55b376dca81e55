import {
  addressed,
  again,
  check,
  closing,
  edited,
  keyword,
  label,
  late,
  lateClosing,
  lateLabel,
  merging,
  onCommandLine,
  push,
  reopening,
  stale,
  twoAddresses,
  twoKeywords,
  words,
} from "./events.ts";
import type { Heard, Letter, Own } from "./letter.ts";
import { carryOut, linkPullRequest, ownSteps, register, takenElsewhere } from "./own-steps.ts";
import type { PolicyName } from "./policies.ts";

/** What people steer with, and the host's side of it. */
const keywords: readonly Heard[] = [
  keyword("start", "alice"),
  keyword("pause", "alice"),
  keyword("resume", "alice"),
  keyword("stop", "alice"),
  keyword("cleanup", "alice"),
];
const labels: readonly Heard[] = [label("alice", true), label("mallory", false)];
const endings: readonly Heard[] = [
  closing("alice"),
  closing("mallory"),
  reopening("alice"),
  reopening("mallory"),
];

/**
 * What must move nobody, and so costs no states: people without authority, texts that are no
 * command, repetitions.
 */
const powerless: readonly Heard[] = [
  ...(["mallory", "bot", "alias", "agent", "carol"] as const).flatMap((who) => [
    keyword("start", who),
    keyword("stop", who),
    keyword("resume", who),
    keyword("cleanup", who),
    keyword("add-collaborator", who),
  ]),
  ...(["mallory", "bot", "alias", "agent"] as const).map((who) => words(who)),
  label("bot", true),
  twoKeywords("loop start loop stop"),
  twoKeywords("loop resume\nloop cleanup"),
  twoAddresses,
  edited("start"),
  edited("stop"),
];

const order: readonly Heard[] = [
  late("start"),
  late("resume"),
  late("pause"),
  lateLabel,
  stale("start"),
  again("start"),
  again("stop"),
];
const commandLine: readonly Heard[] = [
  onCommandLine("start"),
  onCommandLine("stop"),
  onCommandLine("pause"),
  onCommandLine("resume"),
];
const instances: readonly Heard[] = [
  addressed("start", "here"),
  addressed("stop", "here"),
  addressed("start", "elsewhere"),
  addressed("stop", "elsewhere"),
];
const collaborators: readonly Heard[] = [
  keyword("add-collaborator", "alice"),
  keyword("remove-collaborator", "alice"),
  words("carol"),
  closing("carol"),
  reopening("carol"),
  keyword("stop", "carol"),
  keyword("resume", "carol"),
];
const lateGrants: readonly Heard[] = [
  late("add-collaborator"),
  late("remove-collaborator"),
  onCommandLine("add-collaborator"),
  onCommandLine("remove-collaborator"),
  lateClosing("alice"),
  lateClosing("mallory"),
];
const pulls: readonly Heard[] = [
  keyword("start", "alice", "pull"),
  keyword("stop", "alice", "pull"),
  words("alice", "pull"),
  words("mallory", "pull"),
  keyword("start", "mallory", "pull"),
  merging("alice"),
  merging("mallory"),
  push("alice"),
  push("mallory"),
];
const checks: readonly Heard[] = [
  check("failure", true),
  check("success", true),
  check("failure", false),
];
const at = (place: "issue" | "pull", ...more: readonly Own[]): readonly Own[] => [
  ...ownSteps[place],
  carryOut,
  ...more,
];

/** One search: what may happen, and under which configurations. */
export type Chapter = {
  readonly name: string;
  readonly letters: readonly Letter[];
  readonly under: readonly PolicyName[];
};

const usual = ["as it comes", "started by activity"] as const;
const every = [...usual, "scope addressed", "scope locked", "spawning off"] as const;

/**
 * The whole alphabet would be too much for one search. Each chapter has what touches one part of
 * the state, together with what people steer with, and is searched until nothing new comes.
 */
export const chapters: readonly Chapter[] = [
  {
    name: "steering",
    under: every,
    letters: [...labels, ...keywords, ...endings, words("alice"), ...powerless, ...at("issue")],
  },
  {
    name: "order",
    under: usual,
    letters: [
      ...labels,
      ...keywords,
      closing("alice"),
      reopening("alice"),
      ...order,
      ...at("issue"),
    ],
  },
  {
    name: "the command line",
    under: usual,
    letters: [
      ...labels,
      ...keywords,
      ...commandLine,
      late("start"),
      late("resume"),
      late("pause"),
      late("stop"),
      closing("alice"),
      reopening("mallory"),
      ...at("issue"),
    ],
  },
  {
    name: "instances",
    under: every,
    letters: [
      ...labels,
      ...keywords,
      ...instances,
      closing("alice"),
      reopening("alice"),
      ...at("issue", takenElsewhere),
    ],
  },
  {
    name: "collaborators",
    under: ["as it comes"],
    letters: [
      ...labels,
      ...keywords,
      closing("alice"),
      closing("mallory"),
      reopening("alice"),
      ...collaborators,
      ...at("issue"),
    ],
  },
  {
    name: "late grants",
    under: usual,
    letters: [
      ...labels,
      keyword("start", "alice"),
      keyword("stop", "alice"),
      closing("alice"),
      closing("mallory"),
      reopening("alice"),
      reopening("mallory"),
      keyword("add-collaborator", "alice"),
      keyword("remove-collaborator", "alice"),
      ...lateGrants,
      words("carol"),
      ...at("issue"),
    ],
  },
  {
    name: "pull requests",
    under: ["as it comes"],
    letters: [
      ...labels,
      ...keywords,
      closing("alice"),
      reopening("alice"),
      ...pulls,
      ...at("issue", linkPullRequest),
    ],
  },
  {
    name: "checks",
    under: usual,
    letters: [
      label("alice", true),
      keyword("start", "alice"),
      keyword("pause", "alice"),
      keyword("resume", "alice"),
      keyword("stop", "alice"),
      closing("alice"),
      ...checks,
      ...at("issue", linkPullRequest),
    ],
  },
  {
    name: "registered sessions",
    under: ["as it comes"],
    letters: [
      label("alice", true),
      keyword("start", "alice"),
      keyword("pause", "alice"),
      keyword("resume", "alice"),
      keyword("cleanup", "alice"),
      merging("mallory"),
      words("alice", "pull"),
      ...at("issue", linkPullRequest, register("issue"), register("pull")),
      ...ownSteps.pull,
    ],
  },
];
