import type { Installed } from "./install.ts";

/** core's promise: itself and `yaml`, nothing else. */
export const corePackages = 2;

/** Everything that is wrong with the installed packages; empty when they may be published. */
export function judge(
  installed: readonly Installed[],
  served: readonly string[],
  pluginFound: boolean,
): readonly string[] {
  const core = installed.find(({ name }) => name === "@loopwork/core");
  const size =
    core?.installedPackages === corePackages
      ? []
      : [
          `core alone must bring exactly ${corePackages} packages, and brought ${core?.installedPackages ?? "none"}`,
        ];
  const plugin = pluginFound ? [] : ["the packed command line has no plugin in it"];
  return [...size, ...plugin, ...installed.flatMap(({ failures }) => failures), ...served];
}
