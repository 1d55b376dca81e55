import { existsSync, readdirSync } from "node:fs";
import { isHomeState } from "./state-place.ts";
import { notState, type StatePaths } from "./state-in-work-tree.ts";

/**
 * What lies in a state root already that a first run would not find; a person is told before they
 * trust a configuration.
 */
export function stateAlreadyThere(paths: StatePaths): StateThere {
  const { stateRoot } = paths;
  return {
    inRoot:
      existsSync(stateRoot) && !isHomeState(stateRoot)
        ? readdirSync(stateRoot).filter((name) => !notState.includes(name))
        : [],
    elsewhere: filesElsewhere(paths).filter((file) => existsSync(file)),
  };
}

type StateThere = { readonly inRoot: readonly string[]; readonly elsewhere: readonly string[] };

function filesElsewhere(paths: StatePaths): readonly string[] {
  return ownFiles(paths).filter(
    (file) => !file.startsWith(`${paths.stateRoot}/`) && !isHomeState(file),
  );
}

/** Files of the state, in the state root or not. */
export function ownFiles({ storeUrl, pidfile, tokenFile }: StatePaths): readonly string[] {
  const store = storeUrl.slice("sqlite:".length);
  return [store, `${store}-wal`, `${store}-shm`, `${store}-journal`, pidfile, tokenFile];
}
