import path from "node:path";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Where the harness keeps sessions, transcripts and settings: its config-dir variable, else
 * `.claude` at home.
 */
export function configDirOf(env: Variables, home: string): string {
  return chosen(env) ?? path.join(env["HOME"] ?? home, ".claude");
}

/**
 * The file with its trust keys. With the variable it lies inside of the folder, without it beside
 * the folder.
 */
export function trustFileOf(env: Variables, home: string): string {
  return path.join(chosen(env) ?? env["HOME"] ?? home, ".claude.json");
}

function chosen(env: Variables): string | null {
  const dir = env["CLAUDE_CONFIG_DIR"];
  return dir === undefined || dir === "" ? null : dir;
}
