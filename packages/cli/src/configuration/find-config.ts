import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { LoopError } from "@loopwork/core/ports";
import type { Io } from "../io/io.ts";

export type ConfigIo = Pick<Io, "env" | "cwd" | "home">;

/**
 * Who chose a configuration file: a person who named it, the home folder's owner, or whoever wrote
 * the folder that commands are run in. `place` is the file with the links of the folder followed at
 * which its relative paths begin.
 */
export type ConfigPlace = {
  readonly file: string;
  readonly place: string;
  readonly origin: "named" | "home" | "discovered";
};

/**
 * `--config`, `$LOOP_CONFIG`, the working directory, its `.loop`, the home directory: every file
 * that is there, first come first (docs/specification.md#configuration-search-order).
 */
export function findConfigPlaces(asked: string | null, io: ConfigIo): readonly ConfigPlace[] {
  if (asked === "")
    throw new LoopError(
      "LOOP_E_USAGE",
      "--config names no file",
      "write the file behind it, or leave it out",
    );
  const variable = io.env["LOOP_CONFIG"] ?? "";
  const named = asked ?? (variable === "" ? null : variable);
  if (named !== null) {
    const file = resolve(io.cwd, named);
    if (!existsSync(file))
      throw new LoopError(
        "LOOP_E_CONFIG_MISSING",
        `there is no configuration file at ${file}`,
        asked === null
          ? "LOOP_CONFIG names it: unset that, or run `loop init`"
          : "give another --config, or run `loop init`",
      );
    // A relative LOOP_CONFIG means another file in each folder, so that the folder chooses it.
    return [placeOf(file, asked === null && !isAbsolute(named) ? "discovered" : "named")];
  }
  // A home folder that is not absolute would be one in the working directory.
  const home = isAbsolute(io.home)
    ? [join(io.home, ".loop", "cli-config.yaml")]
        .filter((file) => existsSync(file))
        .map((file) => placeOf(file, "home"))
    : [];
  const here = [join(io.cwd, "cli-config.yaml"), join(io.cwd, ".loop", "cli-config.yaml")]
    .filter((file) => existsSync(file))
    .map((file) => placeOf(file, "discovered"));
  return [...here.filter(({ place }) => place !== home[0]?.place), ...home];
}

/** A file that a person named. */
export function namedPlace(file: string): ConfigPlace {
  return placeOf(resolve(file), "named");
}

/**
 * A `.loop` that is a link stays one in the place: relative paths begin at the folder that holds
 * it.
 */
function placeOf(file: string, origin: ConfigPlace["origin"]): ConfigPlace {
  const folder = dirname(file);
  const place =
    basename(folder) === ".loop"
      ? join(realpathSync(dirname(folder)), ".loop")
      : realpathSync(folder);
  return { file, place: join(place, basename(file)), origin };
}
