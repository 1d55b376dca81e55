/**
 * A name of the code host as names compare: logins, owners, repositories. Hosts ignore the
 * case of ASCII letters and of nothing else. `toLowerCase` also folds letters of other scripts: the
 * Kelvin sign becomes a `k`. A rule of tooling/lint keeps comparisons from folding otherwise.
 */
export function foldName(name: string): string {
  for (let at = 0; at < name.length; at += 1) {
    const code = name.charCodeAt(at);
    // Most names are in lower case already, and nearly all others are ASCII.
    if (code >= 128) return foldLetters(name);
    if (code >= 65 && code <= 90) return isAscii(name, at) ? name.toLowerCase() : foldLetters(name);
  }
  return name;
}

/**
 * Whether two labels are the same: hosts ignore the case of their letters in every script. A label
 * is nobody's identity.
 */
export function sameLabel(a: string, b: string): boolean {
  return a === b || a.toLowerCase() === b.toLowerCase();
}

function foldLetters(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function isAscii(text: string, from: number): boolean {
  for (let at = from; at < text.length; at += 1) if (text.charCodeAt(at) >= 128) return false;
  return true;
}
