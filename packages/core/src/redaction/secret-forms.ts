import { percentDecoded } from "./percent-encoding.ts";

/**
 * A secret and the passwords inside of it, where it is an address or a list of words and values as
 * drivers take them. Another program may tell the password without the rest. An address that none
 * would take is read as well: the password stands in the complaint about it.
 */
export function secretsIn(value: string): readonly string[] {
  const written = [...passwordsOfAddress(value), ...passwordsOfWords(value)];
  return [...new Set([value, ...written.flatMap((each) => [each, decoded(each)])])];
}

/** The ways in which programs write a value, apart from percent-encoding, which is read back. */
export function formsOf(value: string): readonly string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const html = value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const quoted = html.replaceAll('"', "&quot;").replaceAll("'", "&#39;");
  return [...new Set([value, json, html, quoted, value.replaceAll(" ", "+"), ...base64Of(value)])];
}

function passwordsOfAddress(value: string): readonly string[] {
  const [, scheme = "", rest = ""] = /^\s*([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(value) ?? [];
  if (scheme === "") return [];
  const end = rest.search(/[/?#]/u);
  const authority = end === -1 ? rest : rest.slice(0, end);
  const login = loginOf(authority) ?? loginOf(rest) ?? "";
  const colon = login.indexOf(":");
  const isToken = colon === -1 && /^https?$/i.test(scheme);
  const parameters = [...rest.matchAll(/[?&;](?:ssl)?password=([^&;#]*)/giu)];
  return [
    ...(isToken ? [login] : []),
    ...(colon === -1 ? [] : [login.slice(colon + 1)]),
    ...parameters.map(([, password = ""]) => password),
  ];
}

/** What stands before the last `@`; null where there is none. */
function loginOf(text: string): string | null {
  const at = text.lastIndexOf("@");
  return at === -1 ? null : text.slice(0, at);
}

/** `host=h password='it\'s'`. */
function passwordsOfWords(value: string): readonly string[] {
  const words = /(?:^|\s)(?:ssl)?password\s{0,9}=\s{0,9}(?:'((?:\\.|[^'\\])*)'|(\S+))/gisu;
  return [...value.matchAll(words)].map(([, quoted, bare = ""]) =>
    (quoted ?? bare).replaceAll(/\\(.)/gsu, "$1"),
  );
}

function decoded(text: string): string {
  return percentDecoded(text)?.text ?? text;
}

/**
 * What base64 of any text with the value in it holds, in both alphabets: a value begins at one of
 * three places in its groups. The characters at both ends that depend on what is beside it are left
 * out, but for the value alone.
 */
function base64Of(value: string): readonly string[] {
  const bytes = bytesOf(value);
  const inside = [0, 1, 2].map((before) => {
    const sextets = sextetsOf([...Array.from({ length: before }, () => 0), ...bytes]);
    const from = Math.ceil((before * 8) / 6);
    return sextets.slice(from, Math.floor(((before + bytes.length) * 8) / 6));
  });
  const alone = sextetsOf(bytes);
  const padded = alone + "=".repeat((3 - (bytes.length % 3)) % 3);
  return [...inside, alone, padded]
    .filter((form) => form.length >= shortestForm)
    .flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]);
}

/** Shorter ones would be found in ordinary words. */
const shortestForm = 8;

function sextetsOf(bytes: readonly number[]): string {
  let text = "";
  for (let bit = 0; bit < bytes.length * 8; bit += 6) {
    const at = Math.floor(bit / 8);
    const pair = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
    text += alphabet.charAt((pair >> (10 - (bit % 8))) & 63);
  }
  return text;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** In UTF-8; lone surrogates as the character that stands for them. */
function bytesOf(value: string): readonly number[] {
  const escaped = encodeURIComponent(value.toWellFormed());
  return [...escaped.matchAll(/%(..)|(.)/gsu)].map(([, hex, char = ""]) =>
    hex === undefined ? char.charCodeAt(0) : Number.parseInt(hex, 16),
  );
}
