/** With a capital letter at its beginning, as errors and labels have it. */
export function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
