/**
 * The text as it looks on the page, where blanks of any kind look like a blank, and some characters
 * like nothing. Only to tell people why their keyword is none: what is acted on is read as it is
 * written, so that no character that doesn't show makes a keyword of something else.
 */
export function asShown(text: string): string {
  return text
    .replaceAll(
      /&#(?:[xX]([\da-fA-F]{1,6})|(\d{1,7}));/g,
      (whole, hex?: string, decimal?: string) => {
        const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
        return code > 0x10ffff ? whole : String.fromCodePoint(code);
      },
    )
    .replaceAll(/\p{Zs}|&(?:nbsp|ensp|emsp|thinsp);/gu, " ")
    .replaceAll(/[\u0085\u2028\u2029]/g, "\n")
    .replaceAll(/\p{Default_Ignorable_Code_Point}|[\u007f-\u009f]|&(?:zwn?j|shy|[lr]rm);/gu, "");
}
