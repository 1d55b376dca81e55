import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { installPinned } from "@loopwork-tooling/contract";
import { compileCache } from "@loopwork-tooling/practice-host";

const source = fileURLToPath(new URL("../real", import.meta.url));

/** What it prints: the result of the method, as the protocol has it. */
export type Printed = {
  readonly tools?: readonly {
    readonly name: string;
    readonly inputSchema: unknown;
    readonly annotations?: { readonly readOnlyHint?: boolean };
  }[];
  readonly isError?: boolean;
  readonly structuredContent?: Readonly<Record<string, unknown>>;
};

/** The inspector's command line; installed when it is asked for first. */
export type Inspector = {
  readonly version: string;
  /**
   * One call of it. Resolves to what it printed; rejects with its words when it ended otherwise
   * than well.
   */
  ask(...argv: readonly string[]): Promise<Printed>;
  close(): void;
};

/**
 * Points it at `url` with the bearer token. It gets a home of its own, because it keeps a catalogue
 * there. Throws with npm's words.
 */
export function openInspector(url: string, token: string): Inspector {
  const manifest: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(path.join(source, "package.json"), "utf8"),
  );
  const version = manifest.dependencies["@modelcontextprotocol/inspector"] ?? "";
  const folder = installPinned(source, `inspector-${version}`);
  const program = path.join(
    folder,
    "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
  );
  const home = mkdtempSync(path.join(tmpdir(), "loop-inspector-"));
  const env = {
    HOME: home,
    PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env["PATH"] ?? ""}`,
    ...compileCache(),
  };
  const common = [
    program,
    "--cli",
    url,
    "--transport",
    "http",
    "--header",
    `Authorization: Bearer ${token}`,
  ];
  return {
    version,
    ask: (...argv) =>
      new Promise((resolve, reject) => {
        execFile(
          process.execPath,
          [...common, ...argv],
          { env, cwd: home, timeout: 60_000, maxBuffer: 64 * 1024 * 1024 },
          (error, out, err) => {
            if (error === null) resolve(JSON.parse(out));
            else reject(new Error(`the inspector ended with ${String(error.code)}: ${out}${err}`));
          },
        );
      }),
    close: () => rmSync(home, { recursive: true, force: true }),
  };
}
