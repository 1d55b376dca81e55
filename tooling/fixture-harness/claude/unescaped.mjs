/** What a prompt escapes so that no program takes it for an order; a model reads that by itself. */
export function unescaped(text) {
  return text.replaceAll(/\\u00(2f|3c|40|55|75)/g, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
