import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { LoopError } from "@loopwork/core/errors";
import type { Io } from "./ports.ts";

/** `--config`, `$LOOP_CONFIG`, the working directory, its `.loop`, the home directory: the first that is there (decisions.md 2). */
export function findConfigFile(asked: string | null, io: Pick<Io, "env" | "cwd" | "home">): string | null {
  if (asked === "") throw new LoopError("LOOP_E_USAGE", "--config names no file", "write the file behind it, or leave it out");
  const named = asked ?? io.env["LOOP_CONFIG"] ?? null;
  if (named !== null && named !== "") {
    const file = resolve(io.cwd, named);
    if (!existsSync(file)) throw new LoopError("LOOP_E_CONFIG_MISSING", `there is no configuration file at ${file}`, asked === null ? "LOOP_CONFIG names it: unset that, or run `loop init`" : "give another --config, or run `loop init`");
    return file;
  }
  const places = [join(io.cwd, "cli-config.yaml"), join(io.cwd, ".loop", "cli-config.yaml"), join(io.home, ".loop", "cli-config.yaml")];
  return places.find((place) => existsSync(place)) ?? null;
}

/** The file's text; rejects with what to do when it cannot be read. */
export function configText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (isCode(error, "EISDIR")) throw new LoopError("LOOP_E_CONFIG_UNREADABLE", `${file} is a folder`, "name the file in it, such as cli-config.yaml");
    throw new LoopError("LOOP_E_CONFIG_UNREADABLE", `${file} cannot be read: ${error instanceof Error ? error.message : ""}`, "check its permissions");
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** The file that is found, with its text. */
export function readConfigFile(asked: string | null, io: Pick<Io, "env" | "cwd" | "home">): { readonly file: string; readonly text: string } | null {
  const file = findConfigFile(asked, io);
  return file === null ? null : { file, text: configText(file) };
}

/**
 * Whether the configuration could name a process graph (`routing.graph.specDir`), from its text alone: reading it as YAML takes most of the
 * time of a hook that has nothing to say. Null where there is no configuration. Without a backslash YAML has no other way
 * to write the key.
 */
export function mentionsGraph(asked: string | null, io: Pick<Io, "env" | "cwd" | "home">): boolean | null {
  const file = findConfigFile(asked, io);
  if (file === null) return null;
  const text = configText(file);
  return text.includes("specDir") || text.includes("\\");
}
