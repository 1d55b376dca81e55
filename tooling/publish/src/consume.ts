import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { lastLines } from "./install.ts";
import { run } from "./run.ts";
import type { Manifest } from "./workspace.ts";

/** Ways in which programs in TypeScript find packages: as Node does, and as bundlers do. */
const resolutions = [
  { name: "nodenext", module: "nodenext", moduleResolution: "nodenext" },
  { name: "bundler", module: "esnext", moduleResolution: "bundler" },
] as const;

/**
 * Imports every entry of the installed package from a program in TypeScript, in each way of
 * resolution, with all declaration files checked. `types` are packages of types that the consumer
 * has besides; core is promised to need none.
 */
export async function consume(
  { name, entries }: Manifest,
  folder: string,
  compiler: string,
  types: readonly string[],
): Promise<readonly string[]> {
  const failures: string[] = [];
  const imports = entries.map(
    (entry, at) => `import * as entry${at} from ${JSON.stringify(`${name}${entry.slice(1)}`)};`,
  );
  writeFileSync(
    join(folder, "consumer.mts"),
    [
      ...imports,
      `export const entries: readonly object[] = [${entries.map((_, at) => `entry${at}`).join(", ")}];`,
      "",
    ].join("\n"),
  );
  for (const { name: way, ...options } of resolutions) {
    const settings = {
      compilerOptions: {
        ...options,
        target: "es2024",
        lib: ["es2024"],
        strict: true,
        noEmit: true,
        skipLibCheck: false,
        types,
      },
      files: ["consumer.mts"],
    };
    const file = join(folder, `tsconfig.${way}.json`);
    writeFileSync(file, JSON.stringify(settings));
    const ran = await run([process.execPath, compiler, "-p", file, "--pretty", "false"], folder);
    if (ran.code !== 0)
      failures.push(
        `${name} cannot be used from TypeScript with ${way} resolution: ${lastLines(ran)}`,
      );
  }
  return failures;
}
