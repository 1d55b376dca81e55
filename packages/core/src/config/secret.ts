const prefixes = [
  "ghp_",
  "gho_",
  "ghu_",
  "ghs_",
  "ghr_",
  "github_pat_",
  "glpat-",
  "sk-",
  "xoxb-",
  "xoxp-",
  "AKIA",
  "ASIA",
  "eyJ",
  "-----BEGIN",
];
const variableName = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

/**
 * Whether a text that should be the NAME of a variable looks like the secret itself. Names are
 * words joined by underscores; what has no underscore and mixes letters with digits, or is very
 * long, is more likely a secret.
 */
export function looksLikeSecret(text: string): boolean {
  if (prefixes.some((prefix) => text.startsWith(prefix))) return true;
  if (!variableName.test(text)) return true;
  if (text.includes("_")) return text.length > 64;
  const digits = /[0-9]/.test(text);
  const lower = /[a-z]/.test(text);
  return (digits && lower) || (digits && text.length >= 20) || text.length > 40;
}
