/** Lowest Node that is supported: node:sqlite is stable from there on. */
const lowest = [24, 15] as const;

/** Ends the process with one clear line when Node is too old. */
export function checkNode(version: string = process.versions.node): void {
  if (isSupported(version)) return;
  process.stderr.write(
    `loop needs Node.js ${lowest.join(".")} or newer, but this is ${version}. Install a newer version from https://nodejs.org.\n`,
  );
  process.exit(2);
}

export function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > lowest[0] || (major === lowest[0] && minor >= lowest[1]);
}
