/**
 * Sixteen hexadecimal digits out of a text, to name it by: FNV-1a in 32 bits, from two beginnings.
 * It is no protection against anybody who wants two texts of one name.
 */
export function shortHash(text: string): string {
  return [0x81_1c_9d_c5, 0x01_00_01_93]
    .map((start) => fnv1a(text, start).toString(16).padStart(8, "0"))
    .join("");
}

function fnv1a(text: string, start: number): number {
  let hash = start;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
  return hash >>> 0;
}
