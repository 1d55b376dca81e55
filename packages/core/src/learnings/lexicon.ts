/**
 * Closed lists of words by which a one-line fact is read. They are general English and general
 * vocabulary of software work, never the words of one project.
 */

/** Words that carry no content of their own: two facts that differ in nothing else say the same. */
export const functionWords: ReadonlySet<string> = words(`
  a an the this that these those it its they them their there here he she we us our you your i my me
  is are was were be been being am do does did done has have had having will would shall can could may might
  to of in on at by for from with into onto as per via over under between among about up out off than then
  and or but so if when while where which who whom whose what how why because since
  also just only very really simply always must should need needs please ensure make sure any some such every each all both other own same
  no not never without cannot none nor again now still already e.g i.e etc eg ie`);

/** Words that turn what they stand with into its contrary. */
export const negations: ReadonlySet<string> = words(
  "not no never without cannot none nor neither avoid forbidden prohibited disallow disallowed forbid prohibit ban banned refuse refrain",
);

/** Words that narrow a fact. */
export const exceptionCues: ReadonlySet<string> = words(
  "except unless excepting excluding besides although however",
);

/** Words behind which stands why a fact holds. */
export const reasonCues: ReadonlySet<string> = words("because so otherwise lest");

/** Words that say that something became another. */
export const changeCues: ReadonlySet<string> = words(
  "now moved raised lowered increased decreased reduced switched changed renamed migrated became replaced replaces upgraded bumped extended shortened grown",
);

/** Words that make a fact firmer or looser without changing what it is about. */
export const forceWords: ReadonlySet<string> = words(
  "must should always never may optional recommended required mandatory prefer preferred forbidden allowed encouraged discouraged default",
);

/** Contractions, written out so that a negation is seen. */
const contractions: ReadonlyMap<string, string> = new Map([
  ["don't", "do not"],
  ["doesn't", "does not"],
  ["didn't", "did not"],
  ["can't", "can not"],
  ["cannot", "can not"],
  ["won't", "will not"],
  ["isn't", "is not"],
  ["aren't", "are not"],
  ["wasn't", "was not"],
  ["weren't", "were not"],
  ["shouldn't", "should not"],
  ["mustn't", "must not"],
  ["couldn't", "could not"],
  ["wouldn't", "would not"],
  ["needn't", "need not"],
  ["hasn't", "has not"],
  ["haven't", "have not"],
  ["hadn't", "had not"],
  ["it's", "it is"],
  ["that's", "that is"],
  ["there's", "there is"],
]);

/**
 * A piece between blanks, with a contraction in it written out; punctuation behind it stays, since
 * a clause may end there.
 */
export function writtenOut(piece: string): string {
  const bare = piece.replace(/[,.;:!?]$/u, "");
  const full = contractions.get(bare.toLowerCase());
  return full === undefined ? piece : `${full}${piece.slice(bare.length)}`;
}

/**
 * Groups of stems that mean the same where people write rules for software work; each group stands
 * for its first word.
 */
export const synonymGroups = `
  use prefer employ utilise utilize via through using used
  run execute invoke call launch
  check verify validate ensure confirm inspect
  assume guess
  require need demand
  create add write make generate introduce author
  remove delete drop purge
  modify change edit alter touch adjust
  fix repair mend correct resolve debug
  live reside locate hold contain keep store placed sit
  fail break crash
  show display render print
  begin start
  finish end complete
  short concise brief terse
  directory dir folder subdirectory subfolder
  documentation docs doc document
  repository repo
  function method
  test spec
  package module library lib
  config configuration setting
  dependency dep
  application app
  command cmd
  argument arg parameter param
  message msg
  error err
  environment env
  variable var
  image picture
  pull_request pr
  forbidden prohibited disallow ban
  avoid refrain
  skip omit
  similar alike same
  intermittent flaky
  instead rather
  subsequent additional later further
  unused unreferenced
  expect anticipate
  whole entire full complete
  bind register
  throw raise
  return yield give
  obtain get fetch retrieve read load lookup
  send post publish emit
  permit allow
  large big
  small tiny
  quick fast
  bug defect
  constant const
  type typing
  username login
  manually hand
  automatically auto`;

/**
 * Pairs that name two sides of one thing: where one fact has the one and another fact the other,
 * they are two facts.
 */
const contraryPairs = `
  start end|start stop|begin end|open close|read write|load save|get set|push pull|client server|frontend backend|request response|input output
  appear disappear|major minor|minor patch|major patch|first last|before after|create delete|create destroy|add remove|add rename|remove rename|insert delete|enable disable|show hide
  import export|encode decode|encrypt decrypt|lock unlock|mount unmount|up down|left right|top bottom|min max|minimum maximum|public private|internal external
  source target|source destination|local remote|dev prod|development production|staging production|debug release|unit integration|unit e2e|integration e2e
  system user|admin user|sender receiver|producer consumer|publisher subscriber|upload download|install uninstall|connect disconnect|attach detach|login logout
  success failure|pass fail|true false|hot cold|query mutation|parent child|upgrade downgrade|horizontal vertical|row column|width height|even odd|old new
  android ios|linux windows|macos windows|linux macos|model controller|primary secondary|primary replica|master replica|leader follower|sync async
  get post|post delete|put delete|get delete|get put|allow deny|accept reject|approve reject|commit rollback|commit revert|increase decrease|increment decrement
  serialise deserialise|serialize deserialize|short long|light dark|online offline|static dynamic|cpu memory|key value`;

const contraries: ReadonlySet<string> = new Set(
  contraryPairs
    .trim()
    .split(/[|\n]/u)
    .flatMap((pair) => {
      const words = pair.trim();
      return [words, words.split(" ").toReversed().join(" ")];
    }),
);

/** Whether two words name two sides of one thing. */
export function areContrary(one: string, other: string): boolean {
  return contraries.has(`${one} ${other}`);
}

function words(text: string): ReadonlySet<string> {
  return new Set(
    text
      .trim()
      .split(/\s/u)
      .filter((word) => word !== ""),
  );
}
