import { insideBlock, insideQuote, keepingOpen } from "./elements.ts";
import { hasTag, passRawHtml } from "./html.ts";
import { scanInline } from "./inline.ts";
import type { BlockScan, Piece } from "./block-scan.ts";
import { hideSpan, type InlineState } from "./spans.ts";
import type { Scannable } from "./scannable.ts";

/** Looks into paragraphs, cells and HTML where that can matter. */
export function readPieces(
  { text, pieces }: BlockScan,
  inline: InlineState,
  wanted: readonly number[] | null,
): void {
  let next = 0;
  for (const piece of pieces) {
    const { kind, start, end } = piece;
    if (kind === "hidden") hideSpan(inline, start, end);
    else if (kind === "html" || kind === "html-in-item") readHtml(inline, text, piece);
    else if (kind === "quoted" || kind === "quoted-html") readQuoted(inline, text, piece);
    else if (kind === "noted" || kind === "noted-html") readNoted(inline, text, piece);
    else {
      if (wanted !== null && !hasTag(inline, text, start, end)) {
        while (next < wanted.length && (wanted[next] ?? 0) < start) next += 1;
        if (next === wanted.length || (wanted[next] ?? 0) >= end) continue;
      }
      insideBlock(inline, kind === "cell" ? "cell" : "block", () =>
        scanInline(inline, text, start, end, false),
      );
    }
  }
}

function readHtml(inline: InlineState, text: Scannable, { kind, start, end }: Piece): void {
  if (kind === "html") passRawHtml(inline, text, start, end);
  else insideBlock(inline, "block", () => passRawHtml(inline, text, start, end));
  scanInline(inline, text, start, end, true);
}

/** Of what is quoted only that counts what does not end with it. */
function readQuoted(inline: InlineState, text: Scannable, { kind, start, end }: Piece): void {
  if (!hasTag(inline, text, start, end)) return;
  insideQuote(inline, end, () =>
    kind.endsWith("html")
      ? passRawHtml(inline, text, start, end)
      : scanInline(inline, text, start, end, false),
  );
}

/**
 * A footnote stands at the end of the page, if anywhere: it closes nothing around its definition.
 */
function readNoted(inline: InlineState, text: Scannable, piece: Piece): void {
  keepingOpen(inline, () => readQuoted(inline, text, piece));
}
