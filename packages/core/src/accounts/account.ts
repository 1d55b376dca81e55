import { foldName } from "./fold-name.ts";

/** An account of the code host. */
export type Account = {
  readonly login: string;
  /** The host's immutable id as decimal text; null where the source has none. */
  readonly id: string | null;
  /**
   * The source itself calls it a bot: `type` of REST, `__typename` of GraphQL. A suffix of the
   * login proves nothing.
   */
  readonly bot: boolean;
};

/**
 * Whether two accounts are the same one (ADR 0014): by id where both have one, whatever their
 * logins; else by login. This is the only place that compares logins, and a rule of tooling/lint
 * keeps it that way.
 */
export function sameAccount(a: Account, b: Account): boolean {
  if (a.id !== null && b.id !== null) return a.id === b.id;
  if (a.bot !== b.bot) return false;
  return a.bot
    ? namesOf(a).includes(accountName(b)) || namesOf(b).includes(accountName(a))
    : foldLogin(a.login) === foldLogin(b.login);
}

/** A person of whom only the login is known, such as one that a keyword names. */
export function personCalled(login: string): Account {
  return { login, id: null, bot: false };
}

/**
 * Whether a list of logins means the account. A person named `helper` is never the bot
 * `helper[bot]`, nor the other way round, and `Copilot` in a list means the bots that are shown so,
 * which are known by their ids.
 */
export function isListed(account: Account, names: ReadonlySet<string>): boolean {
  if (account.bot) return namesOf(account).some((name) => names.has(name));
  const login = foldLogin(account.login);
  return (
    !login.endsWith("]") &&
    names.has(login) &&
    !doubleNames.some(({ shownAs }) => shownAs === login)
  );
}

/**
 * Whether the list means the account by a name that its id is pinned to. A bot is nobody's new
 * login, and nobody is a bot's.
 */
export function isListedAs(
  account: Account,
  pinnedAs: readonly string[],
  names: ReadonlySet<string>,
): boolean {
  return pinnedAs.some((name) => name.endsWith(botSuffix) === account.bot && names.has(name));
}

/** Logins as lists keep them: hosts ignore the case of ASCII letters, and of nothing else. */
export function loginSet(logins: Iterable<string>): ReadonlySet<string> {
  return new Set([...logins].map(foldLogin));
}

/**
 * The one name under which the account is pinned and granted: its login, for bots with the suffix
 * that GraphQL leaves out.
 */
export function accountName(account: Account): string {
  const login = foldLogin(account.login);
  if (!account.bot) return login;
  const double = doubleNames.find(({ id, shownAs }) => id === account.id && shownAs === login);
  if (double !== undefined) return double.name;
  return login.endsWith(botSuffix) ? login : `${login}${botSuffix}`;
}

/** Every name under which something may be on record for what a person typed. */
export function namesTyped(login: string): readonly string[] {
  const typed = foldLogin(login);
  return [typed, ...doubleNames.flatMap(({ name, shownAs }) => (shownAs === typed ? [name] : []))];
}

/** A login as logins compare: like every name of the host. */
export function foldLogin(login: string): string {
  return foldName(login);
}

/** Longest login that any host gives out, with room to spare. */
export const longestLogin = 100;

/**
 * Grammar of a person's login: ASCII letters, digits, `-`, `_` and `.`, with a letter or digit
 * among them, no dot at either end and no hyphen at the beginning. That admits what hosts gave out
 * over the years (`bo-`, `bo--x`, `ada_corp`, `ada.lovelace`) and nothing that could end a line, a
 * mention or a path, or be taken for an option.
 */
export function isLogin(text: string): boolean {
  if (
    text.length > longestLogin ||
    text.startsWith("-") ||
    text.startsWith(".") ||
    text.endsWith(".")
  )
    return false;
  let hasAlphanumeric = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isAlphanumeric(code)) hasAlphanumeric = true;
    else if (code !== hyphen && code !== dot && code !== underscore) return false;
  }
  return hasAlphanumeric;
}

/** The same for anybody who may be listed: a person, or a bot with its suffix. */
export function isAccountLogin(text: string): boolean {
  return isLogin(text.endsWith(botSuffix) ? text.slice(0, -botSuffix.length) : text);
}

const botSuffix = "[bot]";
const [hyphen, dot, underscore] = [45, 46, 95];

/**
 * Bots of the default host that it shows under another login than their own, by their ids there.
 */
const doubleNames: readonly {
  readonly id: string;
  readonly name: string;
  readonly shownAs: string;
}[] = [
  { id: "175728472", name: "copilot-pull-request-reviewer[bot]", shownAs: "copilot" },
  { id: "198982749", name: "copilot-swe-agent[bot]", shownAs: "copilot" },
];

/** Names by which a list may mean a bot: its own, and the one under which its host shows it. */
function namesOf(bot: Account): readonly string[] {
  const own = accountName(bot);
  const shown = doubleNames.find(({ id, name }) => id === bot.id && name === own)?.shownAs;
  return shown === undefined ? [own] : [own, shown];
}

function isAlphanumeric(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}
