/** What the harness shows, as far as a turn has to know it. */
export type Screen =
  /** The line in which a message is written, with what stands in it. */
  | { readonly kind: "input"; readonly text: string }
  /** It asks whether the working directory is trusted. */
  | { readonly kind: "trust" }
  /** A dialog, a menu, an error or nothing; `words` are its first ones, for people. */
  | { readonly kind: "other"; readonly words: string };

/**
 * Reads a screen, given with its escape sequences. The input is the text between the last two rules
 * behind the mark `❯`; a proposal of the harness's own is shown dim there and counts as nothing,
 * everything else somebody has typed.
 */
export function readScreen(lines: readonly string[]): Screen {
  const rows = lines.map(cellsOf);
  const rules = rows.flatMap((cells, at) => (isRule(textOf(cells)) ? [at] : []));
  const [top, bottom] = rules.slice(-2);
  const box = top === undefined || bottom === undefined ? [] : rows.slice(top + 1, bottom);
  if (box[0] !== undefined && textOf(box[0]).startsWith(mark))
    return { kind: "input", text: box.map(written).join("\n").slice(mark.length).trim() };
  const text = rows
    .map((cells) => textOf(cells).trim())
    .filter((line) => line !== "" && !isRule(line));
  return text.some((line) => line.includes("trust this folder"))
    ? { kind: "trust" }
    : { kind: "other", words: text.slice(-12).join(" ").slice(0, 200) };
}

/**
 * A screen is drawn in pieces, and is empty before; one that shows the same words for so many
 * milliseconds is a dialog.
 */
const dialogStandsMs = 5_000;

/**
 * Tells of one screen after the other, as they are looked at, whether what is shown now is a dialog
 * that stays.
 */
export function createDialogWatch(now: () => number): (screen: Screen) => boolean {
  let [words, since] = ["", 0];
  return (screen) => {
    const shown = screen.kind === "other" ? screen.words : "";
    if (shown !== words) [words, since] = [shown, now()];
    return words !== "" && now() - since >= dialogStandsMs;
  };
}

const mark = "❯";

type Cell = { readonly char: string; readonly dim: boolean; readonly reverse: boolean };

function textOf(cells: readonly Cell[]): string {
  return cells.map(({ char }) => char).join("");
}

/** A line across the screen; some versions write a few words into it. */
function isRule(text: string): boolean {
  return text.trimStart().startsWith("──────────");
}

/**
 * The line without a dim proposal. The cursor stands on a proposal's first character, which is
 * therefore not dim itself.
 */
function written(cells: readonly Cell[]): string {
  return textOf(
    cells.filter((cell, at) => !cell.dim && !(cell.reverse && cells[at + 1]?.dim === true)),
  );
}

/**
 * Splits a line into characters with the attributes that matter; other escape sequences are
 * skipped.
 */
function cellsOf(line: string): readonly Cell[] {
  const cells: Cell[] = [];
  let [dim, reverse] = [false, false];
  for (let at = 0; at < line.length;) {
    const sequence = line[at] === "\u001b" ? escapeAt(line, at) : null;
    if (sequence === null) {
      const char = String.fromCodePoint(line.codePointAt(at) ?? 32);
      cells.push({ char: char === "\u00a0" ? " " : char, dim, reverse });
      at += char.length;
      continue;
    }
    if (sequence.final === "m") [dim, reverse] = attributesAfter(sequence.parameters, dim, reverse);
    at = sequence.end;
  }
  return cells;
}

function escapeAt(
  line: string,
  at: number,
): { readonly parameters: string; readonly final: string; readonly end: number } | null {
  if (line[at + 1] !== "[") return { parameters: "", final: "", end: at + 2 };
  let end = at + 2;
  while (end < line.length && "0123456789;:?".includes(line[end] ?? "")) end += 1;
  return { parameters: line.slice(at + 2, end), final: line[end] ?? "", end: end + 1 };
}

function attributesAfter(parameters: string, dim: boolean, reverse: boolean): [boolean, boolean] {
  const codes = parameters === "" ? ["0"] : parameters.split(";");
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at];
    if (code === "38" || code === "48") at += codes[at + 1] === "5" ? 2 : 4; // A colour: its numbers are no attributes.
    else if (code === "0") [dim, reverse] = [false, false];
    else if (code === "2") dim = true;
    else if (code === "22") dim = false;
    else if (code === "7") reverse = true;
    else if (code === "27") reverse = false;
  }
  return [dim, reverse];
}
