/**
 * Where words begin and end in what people write. A word is made of ASCII letters, digits, `_` and
 * `-`, and of every character beyond ASCII that is neither punctuation nor a symbol: a letter that
 * only looks like an ASCII one, a no-break space, a zero-width or a direction mark right beside a
 * keyword makes it another word. Blanks are space and tab, within a line.
 */
export function beginsWord(text: string, at: number): boolean {
  const start = passEmphasis(text, at - 1, -1) + 1;
  if (start === 0) return true;
  const before = text.charCodeAt(start - 1);
  if (before === dot) return false; // `.loop` is a name
  return !isWordCode(
    before < 0xdc00 || before > 0xdfff ? before : (text.codePointAt(start - 2) ?? before),
  );
}

/**
 * True when a word ends before `at`; a joiner that glues on another word, as in `start.sh`, does
 * not end it.
 */
export function endsWord(text: string, at: number): boolean {
  const end = passEmphasis(text, at, 1);
  const next = text.codePointAt(end) ?? 0;
  if (isWordCode(next)) return false;
  return !joiners.has(next) || !isWordCode(text.codePointAt(end + 1) ?? 0);
}

/** Behind up to three `_`, which are emphasis around a word and belong to it inside of one. */
function passEmphasis(text: string, at: number, step: 1 | -1): number {
  let next = at;
  for (let i = 0; i < 3 && text.charCodeAt(next) === underscore; i += 1) next += step;
  return next;
}

/** First position at or after `at` that holds no blank. */
export function skipBlanks(text: string, at: number): number {
  let end = at;
  while (isBlankCode(text.charCodeAt(end))) end += 1;
  return end;
}

/** True when only blanks stand between the beginning of the line and `at`. */
export function beginsLine(text: string, at: number): boolean {
  let start = at - 1;
  while (isBlankCode(text.charCodeAt(start))) start -= 1;
  return start < 0 || isLineEnd(text.charCodeAt(start));
}

/** True when `word`, in lower case, stands at `at` in any ASCII case. */
export function standsAt(text: string, at: number, word: string): boolean {
  for (let i = 0; i < word.length; i += 1) {
    if (lowerCode(text.charCodeAt(at + i)) !== word.charCodeAt(i)) return false;
  }
  return true;
}

/**
 * ASCII letters to lower case, everything else as it is: no other alphabet folds into ASCII here.
 */
export function lowerCode(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

export function isLineEnd(code: number): boolean {
  return code === 10 || code === 13;
}

function isBlankCode(code: number): boolean {
  return code === 32 || code === 9;
}

/** True for what words are made of. */
export function isWordCode(code: number): boolean {
  if (code < 128)
    return (
      (code >= 48 && code <= 57) ||
      (code >= 65 && code <= 90) ||
      (code >= 97 && code <= 122) ||
      code === 95 ||
      code === 45
    );
  return !punctuation.test(String.fromCodePoint(code));
}

const dot = 46;
const underscore = 95;
const joiners: ReadonlySet<number> = new Set([dot, 39 /* ' */, 58 /* : */, 61 /* = */]);
const punctuation = /^[\p{P}\p{S}]$/u;
