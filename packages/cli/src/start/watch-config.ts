import { changedKeys } from "@loopwork/core/config";
import type { RuntimeSettings } from "../runtime/parts.ts";
import { configText } from "./find-config.ts";
import { type Daemons, type LoadedConfig, readConfig, runtimeSettings, takenUp } from "./load-config.ts";
import type { Io } from "./ports.ts";

/** The configuration in force: taken up anew when the file's content has changed, but for keys that need a restart; the last good one stays. */
export type WatchedConfig = { readonly settings: () => RuntimeSettings; readonly loaded: () => LoadedConfig };

/** `taken`: keys that are in force with another value from now on; `restart`: keys that have another value in the file than in the running service. */
export type ConfigChange = { readonly kind: "loaded"; readonly taken: readonly string[]; readonly restart: readonly string[] } | { readonly kind: "rejected"; readonly why: string };

/** `onChange` is told once per change of the file's content. */
export function watchConfig(first: LoadedConfig, daemons: Daemons, io: Pick<Io, "env" | "home">, onChange: (change: ConfigChange) => void): WatchedConfig {
  let good = { loaded: first, settings: runtimeSettings(first) };
  let seen: string | null = first.text;

  const look = (): void => {
    const { file } = good.loaded;
    if (file === null) return;
    try {
      const text = textOrNull(file);
      if (text === seen) return;
      seen = text; // Before anything can fail: whoever is told of a change asks for the settings again.
      const changed = readConfig(file, io, daemons);
      const loaded = takenUp(changed, first, daemons, io);
      const taken = changedKeys(good.loaded.config, loaded.config).map(({ path }) => path);
      const restart = changedKeys(loaded.config, changed.config).map(({ path }) => path);
      good = { loaded, settings: runtimeSettings(loaded) };
      onChange({ kind: "loaded", taken, restart });
    } catch (error) {
      const details = error instanceof Error && "details" in error && Array.isArray(error.details) ? error.details.join("; ") : "";
      onChange({ kind: "rejected", why: `${error instanceof Error ? error.message : String(error)} ${details}`.trim() });
    }
  };
  return {
    settings: () => {
      look();
      return good.settings;
    },
    loaded: () => {
      look();
      return good.loaded;
    },
  };
}

/** Null for a file that cannot be read, as in the middle of an editor's save: told once, like any other change. */
function textOrNull(file: string): string | null {
  try {
    return configText(file);
  } catch {
    return null;
  }
}
