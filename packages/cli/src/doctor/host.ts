import { CodeHostError } from "@loopwork/core/ports";
import { left } from "../views/polls-view.ts";
import type { LoadedConfig } from "../configuration/load-config.ts";
import type { Ports } from "../ports/command-ports.ts";
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
    const todo = `Set ${tokenEnv} to a token of ${host} with access to issues and pull requests`;
    if (polling.enabled)
      return [
        missing(
          "code host",
          `${tokenEnv} isn't set: only public repositories can be polled, at a low rate, and nothing can be posted`,
          todo,
        ),
      ];
    return [weak("code host", `${tokenEnv} isn't set: nothing can be posted or looked up`, todo)];
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
        `${host} isn't responding: ${said}`,
        "Check the network, any proxy, and integrations.codeHost. loop continues when the host responds.",
      );
    return missing(
      "code host",
      `Token rejected by ${host}${rejection.exec(said)?.[0] ?? `: ${said}`}`,
      `Check ${tokenEnv} and integrations.codeHost`,
    );
  }
}

/** The end of what the client says of a token that the host doesn't know. */
const rejection = / \(401 .{0,500}\)$/;

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
        return good("repository", `${name}, with label "${label}"`);
      case "no-label":
        return weak(
          "repository",
          `${name} has no label "${label}", so no work can be started there`,
          `Create it: ${labelCommand(setup.labelsOf(repository), label, tokenEnv)}`,
        );
      case "unreadable":
        return missing(
          "repository",
          `${name} not found, or not visible to the token in ${tokenEnv}`,
          `Check routing.repositories, and give the token access to issues and pull requests of ${name}`,
        );
    }
  } catch (error) {
    if (!(error instanceof CodeHostError)) throw error;
    if (error.passing)
      return missing(
        "repository",
        `${name} couldn't be checked: ${error.message}`,
        "Run it again when the code host responds",
      );
    return missing(
      "repository",
      `${name} can't be read: ${error.message}`,
      `Give the token in ${tokenEnv} access to issues and pull requests of ${name}`,
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
