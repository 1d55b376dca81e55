import { type Finding, found } from "./finding.ts";
import type { Cells, Reading } from "./side.ts";
import { derivedFrom, type Table, tables } from "./tables.ts";

/**
 * Reads every row once: that it can be read, that documents are JSON, that columns say what their
 * documents say.
 */
export async function checkRows(
  reading: Reading,
  storesDerived: boolean,
): Promise<{
  readonly findings: readonly Finding[];
  readonly counted: Readonly<Record<string, number>>;
}> {
  const findings: Finding[] = [];
  const counted: Record<string, number> = {};
  for (const table of tables) {
    const columns = [
      ...(await reading.columns(table)),
      ...(storesDerived ? Object.keys(table.derived) : []),
    ];
    counted[table.name] = 0;
    try {
      for await (const rows of reading.rows(table, columns)) {
        counted[table.name] = (counted[table.name] ?? 0) + rows.length;
        for (const cells of rows) findings.push(...checkRow(table, columns, cells));
      }
    } catch (error) {
      findings.push(
        found(
          "unreadable",
          `the table ${table.name} cannot be read to its end: ${error instanceof Error ? error.message : String(error)}`,
        ),
      );
      break; // On PostgreSQL the transaction is over with that.
    }
  }
  if (reading.damaged.size > 0)
    findings.push(
      found(
        "body-damaged",
        `bodies of ${reading.damaged.size} deliveries are damaged or gone; they read as none`,
        [...reading.damaged],
      ),
    );
  return { findings, counted };
}

function checkRow(table: Table, columns: readonly string[], cells: Cells): readonly Finding[] {
  const at = (column: string): Cells[number] => cells[columns.indexOf(column)] ?? null;
  const name = `${table.name} ${table.key.map((column) => String(at(column))).join(" ")}`;
  const broken = table.documents.filter((column) => !isDocument(at(column)));
  if (broken.length > 0)
    return [found("document-damaged", `${name}: ${broken.join(", ")} is no JSON`)];
  if (table.name === "delivery_body") {
    const body = at("body");
    return body instanceof Uint8Array && body.length === at("length")
      ? []
      : [found("column-differs", `${name}: the length of the body is another one`)];
  }
  return Object.entries(table.derived).flatMap(([column, { document, path }]) => {
    const text = at(document);
    if (
      !columns.includes(column) ||
      derivedFrom(typeof text === "string" ? text : null, path) === at(column)
    )
      return [];
    return [found("column-differs", `${name}: ${column} is not what ${document} says`)];
  });
}

function isDocument(cell: Cells[number]): boolean {
  if (cell === null) return true;
  try {
    JSON.parse(String(cell));
    return true;
  } catch {
    return false;
  }
}
