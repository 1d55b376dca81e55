import { changedKeys } from "@loopwork/core/config";
import type { RuntimeSettings } from "@loopwork/runtime";
import {
  type Daemons,
  type LoadedConfig,
  readConfig,
  runtimeSettings,
  takenUp,
} from "./load-config.ts";
import type { TrustedConfig } from "./open-config.ts";
import type { Io } from "../io/io.ts";

/**
 * The configuration in force: taken up anew when the file's content has changed and may be used,
 * but for keys that need a restart; the last good one stays. One that was found in a working
 * directory may be used once somebody has trusted it as it stands.
 */
export type WatchedConfig = {
  readonly settings: () => RuntimeSettings;
  readonly loaded: () => LoadedConfig;
};

/**
 * `taken`: keys that are in force with another value from now on; `restart`: keys that have another
 * value in the file than in the running service.
 */
export type ConfigChange =
  | {
      readonly kind: "loaded";
      readonly taken: readonly string[];
      readonly restart: readonly string[];
    }
  | { readonly kind: "rejected"; readonly why: string }
  | { readonly kind: "untrusted"; readonly why: string };

/** `onChange` is told once per change of the file's content, and once when it becomes trusted. */
export function watchConfig(
  first: LoadedConfig,
  daemons: Daemons,
  io: Pick<Io, "env" | "home">,
  onChange: (change: ConfigChange) => void,
): WatchedConfig {
  let good = { loaded: first, settings: runtimeSettings(first) };
  let seen: Pick<Seen, "text" | "refusal" | "unreviewed"> = {
    text: first.text,
    refusal: null,
    unreviewed: null,
  };

  const look = (): void => {
    const { source } = good.loaded;
    if (source === null) return;
    const now = seenNow(source, io.home);
    if (
      now.text === seen.text &&
      now.refusal === seen.refusal &&
      now.unreviewed === seen.unreviewed
    )
      return;
    seen = now; // Before anything can fail: whoever is told of a change asks for the settings again.
    if (now.refusal !== null) return onChange({ kind: "untrusted", why: now.refusal });
    try {
      if (now.error !== null) throw now.error;
      const changed = readConfig(now.config, io, daemons);
      const loaded = takenUp(changed, first, daemons, io);
      const taken = changedKeys(good.loaded.config, loaded.config).map(({ path }) => path);
      const restart = changedKeys(loaded.config, changed.config).map(({ path }) => path);
      good = { loaded, settings: runtimeSettings(loaded) };
      onChange({ kind: "loaded", taken, restart });
    } catch (error) {
      const details =
        error instanceof Error && "details" in error && Array.isArray(error.details)
          ? error.details.join("; ")
          : "";
      onChange({
        kind: "rejected",
        why: `${error instanceof Error ? error.message : String(error)} ${details}`.trim(),
      });
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

type Seen = {
  readonly config: TrustedConfig | null;
  readonly text: string | null;
  readonly refusal: string | null;
  readonly unreviewed: string | null;
  readonly error: unknown;
};

/**
 * What stands there now. A file that cannot be read, as in the middle of an editor's save, is told
 * once, like any other change.
 */
function seenNow(source: TrustedConfig, home: string): Seen {
  try {
    const { config, refused } = source.reopened(home);
    return {
      config,
      text: config?.text ?? null,
      refusal: refused?.sentence ?? null,
      unreviewed: refused?.unreviewed?.text ?? null,
      error: null,
    };
  } catch (error) {
    return { config: null, text: null, refusal: null, unreviewed: null, error };
  }
}
