import { escapeHidden, escapeInline } from "@loopwork/core/ports";
import { capitalized } from "./capitalize.ts";
import type { Block, Tone } from "./result.ts";

export type Style = { readonly color: boolean; readonly width: number };

const ansi: Record<Tone | "bold", string> = {
  good: "32",
  warn: "33",
  bad: "31",
  dim: "2",
  bold: "1",
};

/** Renders blocks as text for a terminal. Whatever doesn't print is shown escaped. */
export function renderHuman(blocks: readonly Block[], style: Style): string {
  return blocks.map((block) => renderBlock(block, style)).join("");
}

function renderBlock(block: Block, style: Style): string {
  switch (block.kind) {
    case "line":
      return `${paint(visible(block.text), block.tone, style)}\n`;
    case "heading":
      return `\n${paint(visible(block.text), "bold", style)}\n`;
    case "fields":
      return renderFields(block.rows, style);
    case "table":
      return renderTable(block, style);
    case "verbatim":
      return `${visibleLines(block.text).replace(/\n$/, "")}\n`;
  }
}

function renderFields(rows: Extract<Block, { kind: "fields" }>["rows"], style: Style): string {
  const wide = Math.max(0, ...rows.map(([label]) => label.length));
  return rows
    .map(
      ([label, value, tone]) =>
        `${paint(capitalized(label).padEnd(wide), "dim", style)}  ${paint(visible(value), tone, style)}\n`,
    )
    .join("");
}

function renderTable(table: Extract<Block, { kind: "table" }>, style: Style): string {
  if (table.rows.length === 0) return `${paint(table.empty, "dim", style)}\n`;
  const cells = table.rows.map((row) => row.map(visible));
  const widths = table.columns.map((column, at) =>
    Math.max(column.length, ...cells.map((row) => (row[at] ?? "").length)),
  );
  const join = (row: readonly string[]): string =>
    row
      .map((cell, at) => (at === widths.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
      .join("  ")
      .trimEnd();
  const head = paint(join(table.columns.map((column) => column.toUpperCase())), "dim", style);
  return `${[head, ...cells.map(join)].join("\n")}\n`;
}

function paint(text: string, tone: Tone | "bold" | undefined, style: Style): string {
  return style.color && tone !== undefined ? `\u001b[${ansi[tone]}m${text}\u001b[0m` : text;
}

/**
 * One line of text from outside, which must not steer the terminal: what doesn't print becomes
 * `\uNNNN`, a line end `\n`.
 */
export function visible(text: string): string {
  return escapeInline(text, Number.POSITIVE_INFINITY);
}

/** The same for a text of several lines. */
function visibleLines(text: string): string {
  return escapeHidden(text).replaceAll("\r", "\\r");
}
