import { type Label, labelNamed, type Repository, sameName, takeId } from "../state.ts";
import type { Json } from "../wire/json.ts";
import { labelJson } from "../wire/repository.ts";
import { type Answer, created, invalid, notFound, ok, paged } from "./answer.ts";
import { type Call, type Route, textIn, textsIn } from "./route.ts";
import { inRepository, signedIn } from "./within.ts";

const prefix = "/repos/:owner/:repo";

/** What is arranged once for a repository: its labels and where its webhooks go. */
export const setupRoutes: readonly Route[] = [
  {
    method: "GET",
    path: `${prefix}/labels`,
    answer: inRepository((call, repository) =>
      paged(
        repository.labels.map((label) => labelJson(label, repository, call.origin)),
        call.url,
      ),
    ),
  },
  { method: "GET", path: `${prefix}/labels/:name`, answer: inRepository(oneLabel) },
  { method: "POST", path: `${prefix}/labels`, answer: inRepository(makeLabel) },
  {
    method: "GET",
    path: `${prefix}/hooks`,
    answer: inRepository((call, repository) =>
      signedIn(() => paged(repository.hooks, call.url))(call),
    ),
  },
  { method: "POST", path: `${prefix}/hooks`, answer: inRepository(makeHook) },
];

const labelAt = (repository: Repository, name: string): Label | undefined =>
  repository.labels.find((label) => sameName(label.name, name));

function oneLabel(call: Call, repository: Repository): Answer {
  const label = labelAt(repository, call.params["name"] ?? "");
  return label === undefined ? notFound : ok(labelJson(label, repository, call.origin));
}

function makeLabel(call: Call, repository: Repository): Answer | Promise<Answer> {
  return signedIn(() => {
    const name = textIn(call.body, "name");
    if (name === null || name === "" || labelAt(repository, name) !== undefined)
      return invalid("name is missing or taken");
    return created(labelJson(labelNamed(call.state, repository, name), repository, call.origin));
  })(call);
}

/**
 * Keeps the hook and sends the host's webhooks to it from now on: the practice host has one address
 * to send to.
 */
function makeHook(call: Call, repository: Repository): Answer | Promise<Answer> {
  return signedIn(() => {
    const config = call.body["config"];
    const field = (name: string): string | null => {
      const value: unknown =
        typeof config === "object" && config !== null
          ? Object.entries(config).find(([key]) => key === name)?.[1]
          : null;
      return typeof value === "string" ? value : null;
    };
    const url = field("url");
    if (
      url === null ||
      !URL.canParse(url) ||
      repository.hooks.some((hook) => hook.config.url === url)
    )
      return invalid("config.url is missing or taken");
    const hook = {
      id: takeId(call.state),
      type: "Repository",
      name: "web",
      active: true,
      events: [...textsIn(call.body, "events")],
      config: {
        url,
        content_type: field("content_type") ?? "form",
        insecure_ssl: "0",
        ...(field("secret") === null ? {} : { secret: "********" }),
      },
    };
    repository.hooks.push(hook);
    call.aim({ url, secret: field("secret") });
    return created(hook satisfies Json);
  })(call);
}
