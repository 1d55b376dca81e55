/** A part of a whole as a fraction from 0 to 1. */
export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
