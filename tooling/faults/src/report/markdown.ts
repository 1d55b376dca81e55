/** A table; its cells are Markdown already. */
export function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), `|${head.map(() => "---").join("|")}|`, ...body.map(line)].join("\n");
}

/** A number in groups of three; text without what would end a cell or begin markup. */
export function cell(value: unknown): string {
  if (typeof value === "number") return value.toLocaleString("en-US", { maximumFractionDigits: 2 });
  return String(value ?? "")
    .replaceAll(/[|<>\n\r`*]/g, " ")
    .slice(0, 200);
}

/** Any object as its fields; without any where it is none. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

export function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}
