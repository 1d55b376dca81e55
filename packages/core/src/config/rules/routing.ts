import { placeholders, unknownPlaceholders } from "../../dispatch/template.ts";
import type { Finding, Rule } from "../rules.ts";

/** Rules about who steers, what is listened to, and how it becomes turns. */
export const routingRules: readonly Rule[] = [
  people,
  repositories,
  keywords,
  coalescing,
  template,
  notifications,
];

function people(config: Parameters<Rule>[0]): readonly Finding[] {
  if (config.routing.authorizedUsers.length > 0 || !config.routing.enabled) return [];
  return [
    {
      level: "warning",
      path: "routing.authorizedUsers",
      message: "is empty: nobody can start or steer anything",
      hint: "list the logins that may",
    },
  ];
}

function repositories(...[config, facts]: Parameters<Rule>): readonly Finding[] {
  const path = "routing.repositories";
  if (config.routing.repositories.length > 0) return [];
  if (facts.daemons.poller)
    return [
      {
        level: "error",
        path,
        message: "is empty, and the poller needs to know what to poll",
        hint: "list owner/name of each repository, or set polling.enabled: false",
      },
    ];
  if (!facts.daemons.receiver) return [];
  return [
    {
      level: "warning",
      path,
      message: "is empty: webhooks of any repository are listened to",
      hint: "list owner/name of each repository",
    },
  ];
}

/**
 * Two keywords that can be read in the same words could never be told apart; all would be refused
 * as ambiguous.
 */
function keywords(config: Parameters<Rule>[0]): readonly Finding[] {
  const set = Object.entries(config.routing.control.keywords).filter(([, text]) => text !== "");
  const path = "routing.control.keywords";
  return set.flatMap(([verb, text], i) =>
    set
      .slice(i + 1)
      .filter(([, other]) => within(text, other) || within(other, text))
      .map(([other, otherText]): Finding => ({
        level: "error",
        path: `${path}.${other}`,
        message: `${JSON.stringify(otherText)} cannot be told from the keyword ${verb}, ${JSON.stringify(text)}`,
        hint: "choose other words, or disable one with an empty text",
      })),
  );
}

/** Whether the words of one keyword stand inside of the other's. */
function within(inner: string, outer: string): boolean {
  return ` ${outer.toLowerCase()} `.includes(` ${inner.toLowerCase()} `);
}

function coalescing(config: Parameters<Rule>[0]): readonly Finding[] {
  const { quietSeconds, maxSeconds } = config.routing.coalesce;
  if (quietSeconds <= maxSeconds) return [];
  return [
    {
      level: "error",
      path: "routing.coalesce.maxSeconds",
      message: `is less than quietSeconds (${quietSeconds})`,
      hint: "events wait at most maxSeconds; set it to quietSeconds or more",
    },
  ];
}

function template(config: Parameters<Rule>[0]): readonly Finding[] {
  const text = config.promptTemplate;
  if (text === null) return [];
  const path = "promptTemplate";
  const unknown = unknownPlaceholders(text).map((name): Finding => ({
    level: "warning",
    path,
    message: `$${name} is no placeholder and stays as it is`,
    hint: `placeholders are ${placeholders.map((p) => `$${p}`).join(" ")}`,
  }));
  if (/\$payload_excerpt(?![A-Za-z0-9_])/.test(text)) return unknown;
  return [
    ...unknown,
    {
      level: "warning",
      path,
      message: "has no $payload_excerpt: sessions are not shown what people wrote",
      hint: "add $payload_excerpt where the data shall stand",
    },
  ];
}

function notifications(config: Parameters<Rule>[0]): readonly Finding[] {
  return config.notify.flatMap(({ command, url }, i): readonly Finding[] => {
    if (command.length > 0 !== (url !== null)) return [];
    return [
      {
        level: "error",
        path: `notify[${i}]`,
        message: command.length > 0 ? "has a command and a url" : "has neither command nor url",
        hint: "set one of the two",
      },
    ];
  });
}
