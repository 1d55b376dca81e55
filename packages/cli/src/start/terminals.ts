import type { Terminals } from "@loopwork/core/ports";
import { placeOf } from "../terminal/place.ts";
import type { RunTmux } from "../terminal/run-tmux.ts";
import { createTmux } from "../terminal/tmux.ts";
import type { StartedConfig } from "../configuration/load-config.ts";

/** The terminals of this state root. Nothing is started or made before the first one is opened. */
export function openTerminalsOf(loaded: StartedConfig, runTmux?: RunTmux): Terminals {
  return createTmux(placeOf(loaded.paths.stateRoot), loaded.env["PATH"], undefined, runTmux);
}

/** Folder with one folder a conversation that has a terminal. */
export function terminalsFolder(loaded: Pick<StartedConfig, "paths">): string {
  return placeOf(loaded.paths.stateRoot).folder;
}
