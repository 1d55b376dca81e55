/** Placeholders of a custom prompt template. */
export const placeholders = [
  "work_item",
  "event",
  "action",
  "repository",
  "delivery_id",
  "payload_excerpt",
  "interaction_directive",
] as const;

/**
 * Puts values where the placeholders stand, in one pass: what a value contains is text, also when
 * it looks like a placeholder or like `$&`. The directive is appended when the template has no
 * place for it.
 */
export function fillTemplate(
  template: string,
  values: Readonly<Record<string, string>>,
  directive: string,
): string {
  let filled = "";
  let from = 0;
  let placed = false;
  for (let at = template.indexOf("$"); at !== -1; at = template.indexOf("$", at + 1)) {
    const name = nameAt(template, at + 1);
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) continue;
    filled += template.slice(from, at) + value;
    from = at + 1 + name.length;
    placed ||= name === "interaction_directive";
  }
  filled += template.slice(from);
  return placed ? filled : `${filled.trimEnd()}\n\n${directive}`;
}

/** The whole word that begins at an index. `$event_name` is not `$event`. */
function nameAt(text: string, from: number): string {
  let end = from;
  while (end - from < 64 && /[A-Za-z0-9_]/.test(text.charAt(end))) end += 1;
  return text.slice(from, end);
}

/** Placeholders of a template that are not known, for a warning. */
export function unknownPlaceholders(template: string): readonly string[] {
  const known = new Set<string>(placeholders);
  const found = new Set<string>();
  for (let at = template.indexOf("$"); at !== -1; at = template.indexOf("$", at + 1)) {
    const name = nameAt(template, at + 1);
    if (/^[a-z][a-z_]*$/.test(name) && !known.has(name)) found.add(name);
  }
  return [...found];
}
