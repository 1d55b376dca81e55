import { defaultWords } from "@loopwork/core";
import {
  type ControlReading,
  type ControlVerb,
  controlVerbs,
  readControl,
} from "@loopwork/core/keywords";
import type { Misfit, RowShape } from "./rows.ts";
import { isRecord, isText, nameOf, type Record } from "./shape.ts";
import { share } from "./share.ts";

/** A comment, and what it asks for. Verb, address and login are null where none is expected. */
export type KeywordRow = {
  readonly id: string;
  readonly text: string;
  readonly expected: ExpectedReading;
};

export type ExpectedReading =
  /** `address` is undefined where the table says nothing about it. */
  | { readonly kind: "none"; readonly address: string | null | undefined }
  | {
      readonly kind: "command";
      readonly verb: ControlVerb;
      readonly address: string | null;
      readonly login: string | null;
    }
  | { readonly kind: "ambiguous" | "address-conflict" };

export type KeywordsResult = {
  readonly rows: number;
  readonly accuracy: number;
  readonly wrong: readonly string[];
};

export const keywordShape: RowShape<KeywordRow> = {
  keys: ["id", "text", "expected"],
  read: readKeyword,
};

/**
 * How many comments the product's own reader understands as expected, with the default keywords.
 */
export function evalKeywords(rows: readonly KeywordRow[]): KeywordsResult {
  const wrong = rows
    .filter((row) => !isAsExpected(keywordOf(row), row.expected))
    .map(({ id }) => id);
  return { rows: rows.length, accuracy: share(rows.length - wrong.length, rows.length), wrong };
}

/** What the product reads out of a row's text. */
export function keywordOf(row: KeywordRow): ControlReading {
  return readControl(row.text, defaultWords.keywords);
}

/**
 * The tables have no name for a grant that is refused because of its login. It carries nothing out,
 * so `none` fits it, and so does the bare verb without a login.
 */
function isAsExpected(found: ControlReading, expected: ExpectedReading): boolean {
  if (found.kind === "login-off-grammar")
    return (
      expected.kind === "none" ||
      (expected.kind === "command" && expected.verb === found.verb && expected.login === null)
    );
  switch (expected.kind) {
    case "none":
      return (
        found.kind === "none" &&
        (expected.address === undefined || expected.address === found.address)
      );
    case "command":
      return (
        found.kind === "command" &&
        found.verb === expected.verb &&
        found.address === expected.address &&
        isSameLogin(found.login, expected.login)
      );
    case "ambiguous":
    case "address-conflict":
      return found.kind === expected.kind;
  }
}

/** Logins compare without case. */
function isSameLogin(one: string | null, other: string | null): boolean {
  return one?.toLowerCase() === other?.toLowerCase();
}

function readKeyword(line: Record): KeywordRow | Misfit {
  const { id, text, expected } = line;
  if (!isText(id) || id === "") return { misfit: `id must be a text, and is ${nameOf(id)}` };
  if (!isText(text)) return { misfit: `text must be a text, and is ${nameOf(text)}` };
  if (!isRecord(expected))
    return { misfit: `expected must be an object, and is ${nameOf(expected)}` };
  const reading = readExpected(expected);
  return "misfit" in reading ? reading : { id, text, expected: reading };
}

/** An address may be written as in a comment, and so may a login. */
function readExpected({ kind, verb, address: to, login }: Record): ExpectedReading | Misfit {
  const address = isText(to) && to.startsWith("instance:") ? to.slice("instance:".length) : to;
  if (address !== undefined && address !== null && !isText(address))
    return { misfit: `expected.address must be a text, and is ${nameOf(address)}` };
  if (login !== undefined && login !== null && !isText(login))
    return { misfit: `expected.login must be a text, and is ${nameOf(login)}` };
  switch (kind) {
    case "none":
      return { kind, address };
    case "ambiguous":
    case "address-conflict":
      return { kind };
    case "command": {
      const known = controlVerbs.find((each) => each === verb);
      if (known === undefined)
        return { misfit: `expected.verb must be one of ${controlVerbs.join(", ")}` };
      return {
        kind,
        verb: known,
        address: address ?? null,
        login: login?.startsWith("@") === true ? login.slice(1) : (login ?? null),
      };
    }
    default:
      return { misfit: "expected.kind must be none, command, ambiguous or address-conflict" };
  }
}
