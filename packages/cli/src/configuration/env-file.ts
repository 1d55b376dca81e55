import { countHidden, LoopError } from "@loopwork/core/ports";
import { readSafeFile } from "../file-ownership/safe-file.ts";

/**
 * An env file that cannot be used whole: every line that is wrong, with its number. No value is
 * ever shown.
 */
export class EnvFileRejected extends LoopError {
  readonly details: readonly string[];

  constructor(file: string, details: readonly string[]) {
    super(
      "LOOP_E_ENV_FILE",
      `${file} cannot be used`,
      "write one NAME=value per line, with values of more than letters, digits and _./+=:@,- in single quotes",
    );
    this.details = details;
  }
}

/** Variables that loop reads itself, and whether the environment sets one of them. */
export type ExpectedVariables = {
  readonly names: readonly string[];
  readonly isSet: (name: string) => boolean;
};

export type EnvFile = {
  readonly values: ReadonlyMap<string, string>;
  /** True when accounts other than the owner may read it. */
  readonly shared: boolean;
};

/** Bytes: more variables than the system takes for a child. */
export const longestEnvFile: number = 2 * 1024 * 1024;

/**
 * Reads an env file strictly: a line that is not understood is an error, because the variable that
 * it was meant to set would otherwise count as unset, and an unset webhook secret switches
 * verification off. For the same reason a name that is `expected` may not stand in it unless it is
 * set.
 * @throws {EnvFileRejected} `LOOP_E_ENV_FILE` with the wrong lines, also when the file cannot be
 * read.
 */
export function readEnvFile(file: string, expected: ExpectedVariables = nothing): EnvFile {
  const { bytes, shared } = bytesOf(file);
  const problems: string[] = [];
  const complain: Complain = (line, problem) => problems.push(`${file}:${line}: ${problem}`);
  const { values, setAt } = parseEnvLines(decode(file, bytes), complain);
  for (const [name, value] of values)
    for (const lost of lostIn(name, value, values, expected))
      complain(
        setAt.get(name) ?? 1,
        `${lost} stands in ${isCaseOf(lost, name) ? `another case, as ${name},` : `the value of ${name},`} and nothing sets it; write ${lost}=… on a line of its own`,
      );
  if (problems.length > 0) throw new EnvFileRejected(file, problems);
  return { values, shared };
}

const nothing: ExpectedVariables = { names: [], isSet: () => false };

/**
 * Names of ours in one assignment, that nothing sets: what is neither a name nor a value is a
 * comment.
 */
function lostIn(
  name: string,
  value: string,
  values: ReadonlyMap<string, string>,
  { names, isSet }: ExpectedVariables,
): readonly string[] {
  const named = names.filter((each) =>
    new RegExp(`(?<![A-Za-z0-9_])${each}(?![A-Za-z0-9_])`, "i").test(`${name} ${value}`),
  );
  const assigned = value.match(/(?<![A-Za-z0-9_])LOOP_[A-Z0-9_]+(?=[ \t]*=)/g) ?? [];
  return [...new Set([...named, ...assigned])].filter((each) => !values.has(each) && !isSet(each));
}

function isCaseOf(name: string, other: string): boolean {
  return new RegExp(`^${name}$`, "i").test(other);
}

/** Only this user may be able to change the file: whoever writes it sets the variables. */
function bytesOf(file: string): { readonly bytes: Uint8Array; readonly shared: boolean } {
  const read = readSafeFile(file, longestEnvFile);
  if (read.kind === "text") return { bytes: read.bytes, shared: (read.mode & 0o077) !== 0 };
  if (read.kind === "unsafe")
    throw new LoopError(
      "LOOP_E_ENV_FILE",
      `env.file ${file} isn't used, as others could have written it: ${read.why}`,
      read.hint,
    );
  throw new LoopError(
    "LOOP_E_ENV_FILE",
    `env.file ${file} cannot be read: ${read.why}`,
    "create it, or remove `env.file` from the configuration",
  );
}

function decode(file: string, bytes: Uint8Array): string {
  const [first, second, third] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new EnvFileRejected(file, [
      `${file}:1: UTF-16 text; save the file as UTF-8 without a byte-order mark`,
    ]);
  if (first === 0xef && second === 0xbb && third === 0xbf)
    throw new EnvFileRejected(file, [
      `${file}:1: a byte-order mark hides the first variable; save the file as UTF-8 without one`,
    ]);
  const zero = bytes.indexOf(0);
  if (zero !== -1)
    throw new EnvFileRejected(file, [
      `${file}:${lineOf(bytes, zero)}: a NUL byte; save the file as UTF-8`,
    ]);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new EnvFileRejected(file, [`${file}: not UTF-8; save the file as UTF-8`]);
  }
}

function lineOf(bytes: Uint8Array, end: number): number {
  let line = 1;
  for (let at = 0; at < end; at += 1) if (bytes[at] === 0x0a) line += 1;
  return line;
}

type Complain = (line: number, problem: string) => void;
const assignment = /^(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]{0,127})[ \t]*=/;

/**
 * Lines are empty, comments, or `[export ]NAME=value`. A value is plain and ends with its line, or
 * stands in single or double quotes and may then go over several lines; in double quotes `\n` is a
 * line break. Nothing is expanded.
 */
function parseEnvLines(
  text: string,
  complain: Complain,
): {
  readonly values: ReadonlyMap<string, string>;
  readonly setAt: ReadonlyMap<string, number>;
} {
  const values = new Map<string, string>();
  const setAt = new Map<string, number>();
  const lines = text.split(/\r?\n/);
  for (const [at, line] of lines.entries())
    // An editor may show two lines where another program sees one.
    if (countHidden(line) > 0 || line.includes("\r"))
      complain(
        at + 1,
        "a character that cannot be seen, such as a lone carriage return; type the line again",
      );
  for (let at = 0; at < lines.length; at += 1) {
    const line = (lines[at] ?? "").trimStart();
    if (line === "" || line.startsWith("#")) continue;
    const number = at + 1;
    const [head, name] = assignment.exec(line) ?? [];
    if (head === undefined || name === undefined) {
      complain(number, "not an assignment; write NAME=value");
      continue;
    }
    const rest = line.slice(head.length).trimStart();
    const quote = rest[0] === "'" || rest[0] === '"' ? rest[0] : null;
    let value: string | null;
    if (quote === null)
      value = plainValue(rest.trimEnd(), name, (problem) => complain(number, problem));
    else {
      const quoted = quotedValue(lines, at, rest.slice(1), quote);
      if (quoted === null)
        complain(number, `the quote that opens the value of ${name} is never closed`);
      else if (quoted.after !== "" && !quoted.after.startsWith("#"))
        complain(quoted.at + 1, `text after the closing quote of ${name}`);
      else if (swallowsAssignment(quoted.value))
        complain(
          number,
          `the value of ${name} goes over several lines and swallows an assignment; close its quote`,
        );
      value = quoted?.value ?? null;
      at = quoted?.at ?? at;
    }
    const before = setAt.get(name);
    if (before !== undefined) complain(number, `${name} is set in line ${before} already`);
    setAt.set(name, number);
    if (value !== null) values.set(name, value);
  }
  return { values, setAt };
}

/**
 * Whether a value's later lines set a variable. Keys in PEM are left out, and so is what has nothing
 * but padding behind it: the last line of base64 often looks like a name and an equals sign.
 */
function swallowsAssignment(value: string): boolean {
  return value
    .replaceAll(pemBlock, "")
    .split("\n")
    .slice(1)
    .map((line) => line.trim())
    .some((line) => assignment.test(line) && !/^=*$/.test(line.replace(assignment, "")));
}

const pemBlock = /^-----BEGIN ([^\n]+)-----\n(?:(?!-----).*\n)*-----END \1-----$/gm;

/**
 * What ends a value in a shell or another reader, or means something there, would belong to it
 * here, so it must be quoted: a second assignment behind a blank or `;` would be lost.
 */
function plainValue(
  text: string,
  name: string,
  complain: (problem: string) => void,
): string | null {
  const [found] = /[\s;&|$\\<>()]/.exec(text) ?? [];
  if (text.includes("#")) complain(`a # in the value of ${name} must be quoted: ${name}='…'`);
  else if (/["'`]/.test(text))
    complain(`a quote in the middle of the value of ${name}; quote the whole value`);
  else if (found !== undefined)
    complain(
      `the value of ${name} contains ${found.trim() === "" ? "a blank" : found} and must be quoted: ${name}='…'`,
    );
  else return text;
  return null;
}

/**
 * Reads up to the closing quote, over line ends; null when there is none. `after` is what follows
 * it on its line.
 */
function quotedValue(
  lines: readonly string[],
  from: number,
  first: string,
  quote: string,
): { readonly value: string; readonly after: string; readonly at: number } | null {
  const taken: string[] = [];
  for (let at = from; at < lines.length; at += 1) {
    const line = at === from ? first : (lines[at] ?? "");
    const end = line.indexOf(quote);
    if (end === -1) {
      taken.push(line);
      continue;
    }
    taken.push(line.slice(0, end));
    const value = taken.join("\n");
    return {
      value: quote === '"' ? value.replaceAll("\\n", "\n") : value,
      after: line.slice(end + 1).trim(),
      at,
    };
  }
  return null;
}
