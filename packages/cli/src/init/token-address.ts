import type { LoadedConfig } from "../configuration/load-config.ts";
import { apiAddressOf } from "../start/open.ts";
import type { Ports } from "../ports/command-ports.ts";

/** Says where the token is about to be sent, each address once, so that a person can stop it. */
export type TellAddress = (loaded: LoadedConfig) => Promise<void>;

export function createTellAddress({ io }: Pick<Ports, "io">): TellAddress {
  const told = new Set<string>();
  return async (loaded) => {
    const { tokenEnv } = loaded.config.integrations.codeHost;
    const address = await apiAddressOf(loaded);
    if (!loaded.env[tokenEnv] || told.has(address)) return;
    told.add(address);
    io.err(`Sending the token in ${tokenEnv} to ${address}\n`);
  };
}
