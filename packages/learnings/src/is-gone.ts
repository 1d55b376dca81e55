import { lstat } from "node:fs/promises";

/**
 * Whether nothing is at the path. A place that cannot be looked at, as on a disk that is away, is
 * not gone.
 */
export async function isGone(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return false;
  } catch (error) {
    return isAbsence(error);
  }
}

/** For `catch`: no entries where there is no folder; every other error goes on. */
export function noneWhereAbsent(error: unknown): readonly string[] {
  if (isAbsence(error)) return [];
  throw error;
}

function isAbsence(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    (error.code === "ENOENT" || error.code === "ENOTDIR")
  );
}
