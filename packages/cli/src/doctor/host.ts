import { CodeHostError } from "@loopwork/core/ports";
import { left } from "../commands/polls-view.ts";
import type { LoadedConfig } from "../start/load-config.ts";
import type { Ports } from "../start/ports.ts";
import { type Finding, good, missing, weak } from "./finding.ts";

type HostSetup = Awaited<ReturnType<Ports["hostOf"]>>["setup"];

/** The token, then each repository with it, and whether that has the label. */
export async function hostFindings(
  loaded: LoadedConfig,
  ports: Ports,
): Promise<readonly Finding[]> {
  const { integrations, polling, routing } = loaded.config;
  const { tokenEnv, host } = integrations.codeHost;
  if (!loaded.env[tokenEnv]) {
    const todo = `put a token of ${host} with access to issues and pull requests into ${tokenEnv}`;
    if (polling.enabled)
      return [
        missing(
          "code host",
          `no token in ${tokenEnv}: only public repositories can be polled, as seldom as the host allows, and nothing can be posted`,
          todo,
        ),
      ];
    return [weak("code host", `no token in ${tokenEnv}: nothing can be posted or asked`, todo)];
  }
  const token = await tokenFinding(loaded, ports);
  if (token.state === "missing") return [token];
  const { setup } = await ports.hostOf(loaded);
  return [
    token,
    ...(await Promise.all(
      routing.repositories.map((name) => repositoryFinding(name, setup, loaded)),
    )),
  ];
}

async function tokenFinding({ config }: LoadedConfig, ports: Ports): Promise<Finding> {
  const { tokenEnv, host } = config.integrations.codeHost;
  try {
    const client = await ports.codeHost();
    const account = await client.ownAccount();
    const budget = client.budget();
    return good(
      "code host",
      `${host}, as @${account?.login ?? "?"}${budget === null ? "" : `, ${left(budget)}`}`,
    );
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    if (error instanceof CodeHostError && error.passing)
      return missing(
        "code host",
        `${host} does not answer: ${said}`,
        "check the network, a proxy, and integrations.codeHost; `loop` goes on by itself once the host answers",
      );
    return missing(
      "code host",
      `${host} does not take the token: ${said}`,
      `check ${tokenEnv} and integrations.codeHost`,
    );
  }
}

async function repositoryFinding(
  name: string,
  setup: HostSetup,
  { config }: LoadedConfig,
): Promise<Finding> {
  const { tokenEnv } = config.integrations.codeHost;
  const [label, repository] = [config.routing.autoExecuteLabel, partsOf(name)];
  try {
    switch (await setup.lookAt(repository, label)) {
      case "label":
        return good("repository", `${name} can be read, and has the label "${label}"`);
      case "no-label":
        return weak(
          "repository",
          `${name} can be read, and has no label "${label}": no issue of it can be armed`,
          `make it: ${labelCommand(setup.labelsOf(repository), label, tokenEnv)}`,
        );
      case "unreadable":
        return missing(
          "repository",
          `${name} is not found, or the token in ${tokenEnv} may not see it`,
          `check the name in routing.repositories, and give the token access to issues and pull requests of ${name}`,
        );
    }
  } catch (error) {
    if (!(error instanceof CodeHostError)) throw error;
    if (error.passing)
      return missing(
        "repository",
        `${name} was not shown: ${error.message}`,
        "run it again once the code host answers",
      );
    return missing(
      "repository",
      `${name} cannot be read: ${error.message}`,
      `give the token in ${tokenEnv} access to issues and pull requests of ${name}`,
    );
  }
}

function partsOf(name: string): {
  readonly host: null;
  readonly owner: string;
  readonly repo: string;
} {
  const [owner = "", repo = ""] = name.split("/");
  return { host: null, owner, repo };
}

/** For a shell of the person who reads it; the token stays a variable's name. */
function labelCommand(address: string, label: string, tokenEnv: string): string {
  return `curl -X POST -H "Authorization: token $${tokenEnv}" -H "Content-Type: application/json" -d '${JSON.stringify({ name: label }).replaceAll("'", String.raw`'\''`)}' ${address}`;
}
