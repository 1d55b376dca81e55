import { type Node, Parser } from "commonmark";

/** A shell block of a document: what a reader types. */
export type Block = {
  /** The heading that it stands under. */
  readonly heading: string;
  /** 1 is the first line of the document. */
  readonly line: number;
  readonly script: string;
  /** Why it is not replayed, from `<!-- not replayed: … -->` right before it; null when it is. */
  readonly leftOut: string | null;
};

const mark = /^<!-- not replayed: ([^>]{1,200}) -->$/;

/**
 * The blocks marked `sh`, in order, also those within lists. A mark stands right before its block.
 */
export function blocksOf(markdown: string): readonly Block[] {
  const blocks: Block[] = [];
  let heading = "";
  const walker = new Parser().parse(markdown).walker();
  for (let step = walker.next(); step !== null; step = walker.next()) {
    const { node, entering } = step;
    if (!entering) continue;
    if (node.type === "heading") heading = textOf(node);
    if (node.type === "code_block" && node.info === "sh")
      blocks.push({
        heading,
        line: node.sourcepos[0][0],
        script: node.literal ?? "",
        leftOut: markOf(node.prev),
      });
  }
  return blocks;
}

function markOf(before: Node | null): string | null {
  return before?.type === "html_block"
    ? (mark.exec((before.literal ?? "").trim())?.[1] ?? null)
    : null;
}

function textOf(node: Node): string {
  let text = "";
  for (let child = node.firstChild; child !== null; child = child.next)
    text += child.literal ?? textOf(child);
  return text;
}
