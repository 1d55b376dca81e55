import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One message that reached a conversation, as the harness's own transcript has it. */
export type Prompt = {
  readonly session: string;
  readonly receipt: string;
  readonly text: string;
  /** The session was told that it had been interrupted. */
  readonly continues: boolean;
  /** Replies without a tool call that hang on this message: the ends of its turn. */
  readonly ends: number;
  /** How many user rows carry this receipt. */
  readonly records: number;
  /**
   * Something was written for it after another message had been asked in the same conversation: two
   * processes at once.
   */
  readonly overlaps: boolean;
};

/**
 * Reads every transcript below a configuration folder of the harness. Rows in the order of the
 * file.
 */
export function readPrompts(configDir: string): readonly Prompt[] {
  const projects = join(configDir, "projects");
  if (!existsSync(projects)) return [];
  const files = readdirSync(projects).flatMap((folder) =>
    readdirSync(join(projects, folder))
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => ({
        session: name.slice(0, -".jsonl".length),
        file: join(projects, folder, name),
      })),
  );
  return files.flatMap(({ session, file }) => promptsOf(session, rowsOf(file)));
}

type Row = {
  readonly type: string;
  readonly uuid: string;
  readonly parent: string | null;
  readonly text: string;
  readonly isTool: boolean;
  readonly isError: boolean;
};

function promptsOf(session: string, rows: readonly Row[]): readonly Prompt[] {
  const byId = new Map(rows.map((row) => [row.uuid, row]));
  const asked = rows.filter((row) => row.type === "user" && row.text.startsWith("Work item:"));
  const receipts = new Set(asked.map(({ uuid }) => uuid));
  const ends = new Map<string, number>();
  const late = new Set<string>();
  let latest: string | null = null;
  for (const row of rows) {
    if (row.type === "user" && receipts.has(row.uuid)) latest = row.uuid;
    const root = row.type === "assistant" ? rootOf(row, byId, receipts) : null;
    if (root === null) continue;
    if (root !== latest) late.add(root);
    if (!row.isTool && !row.isError) ends.set(root, (ends.get(root) ?? 0) + 1);
  }
  const seen = new Set<string>();
  return asked.flatMap(({ uuid, text }) => {
    if (seen.has(uuid)) return [];
    seen.add(uuid);
    return [
      {
        session,
        receipt: uuid,
        text,
        continues: text.includes("You were interrupted"),
        ends: ends.get(uuid) ?? 0,
        records: asked.filter((row) => row.uuid === uuid).length,
        overlaps: late.has(uuid),
      },
    ];
  });
}

/** The message that a reply belongs to: the nearest one above it. */
function rootOf(
  row: Row,
  byId: ReadonlyMap<string, Row>,
  prompts: ReadonlySet<string>,
): string | null {
  for (let at = row.parent; at !== null; at = byId.get(at)?.parent ?? null)
    if (prompts.has(at)) return at;
  return null;
}

function rowsOf(file: string): readonly Row[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => {
      const row = parse(line);
      if (row === null || typeof row["uuid"] !== "string" || typeof row["type"] !== "string")
        return [];
      const { text, isTool } = contentOf(row["message"]);
      return [
        {
          type: row["type"],
          uuid: row["uuid"],
          parent: typeof row["parentUuid"] === "string" ? row["parentUuid"] : null,
          text,
          isTool,
          isError: row["isApiErrorMessage"] === true,
        },
      ];
    });
}

function contentOf(message: unknown): { readonly text: string; readonly isTool: boolean } {
  const content: unknown =
    typeof message === "object" && message !== null && "content" in message ? message.content : "";
  if (typeof content === "string") return { text: content, isTool: false };
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  const text = blocks
    .map((block) =>
      typeof block === "object" &&
      block !== null &&
      "text" in block &&
      typeof block.text === "string"
        ? block.text
        : "",
    )
    .join("\n");
  return {
    text,
    isTool: blocks.some(
      (block) =>
        typeof block === "object" && block !== null && "type" in block && block.type === "tool_use",
    ),
  };
}

function parse(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
