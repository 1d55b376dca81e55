/**
 * A search path without relative and empty entries. They mean the folder in which a program runs,
 * where a repository or an agent may have put a `git` of its own.
 */
export function absolutePath(path: string): string {
  const folders = path.split(":").filter((folder) => folder.startsWith("/"));
  return folders.length === 0 ? "/usr/local/bin:/usr/bin:/bin" : folders.join(":");
}

/** The variables with such a `PATH`. Every environment of a child goes through here. */
export function withAbsolutePath(env: Readonly<Record<string, string>>): Record<string, string> {
  return env["PATH"] === undefined ? { ...env } : { ...env, PATH: absolutePath(env["PATH"]) };
}
