/**
 * What the scanner needs of a text. A plain string is one; tests hand in one that counts what is
 * read.
 */
export type Scannable = Pick<string, "length" | "charCodeAt" | "indexOf" | "startsWith">;
