/**
 * For `catch`: gives `value` where the file system says that nothing is there, and lets every other
 * error through. A disk that cannot be read or has no room left is no empty one.
 */
export function ifAbsent<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (
      error instanceof Error &&
      "code" in error &&
      (error.code === "ENOENT" || error.code === "ENOTDIR")
    )
      return value;
    throw error;
  };
}
