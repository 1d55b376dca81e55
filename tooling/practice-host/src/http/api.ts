import { type Answer, notFound, tagged } from "./answer.ts";
import { graphqlRoutes } from "./graphql-routes.ts";
import { hookRoutes } from "./hook-routes.ts";
import { issueRoutes } from "./issue-routes.ts";
import { listRoutes } from "./list-routes.ts";
import { pullRoutes } from "./pull-routes.ts";
import { type Call, findRoute } from "./route.ts";
import { setupRoutes } from "./setup-routes.ts";

const routes = [
  ...listRoutes,
  ...graphqlRoutes,
  ...issueRoutes,
  ...pullRoutes,
  ...setupRoutes,
  ...hookRoutes,
];

/**
 * What the interface answers, whatever carries the call. `path` is below the base of the interface;
 * `known` the tag that the caller has.
 */
export async function answerCall(
  method: string,
  path: string,
  call: Omit<Call, "params">,
  known: string | undefined,
): Promise<Answer> {
  const found = findRoute(routes, method, path.split("/").map(decodeURIComponent).join("/"));
  if (found === null) return notFound;
  const answer = await found.route.answer({ ...call, params: found.params });
  return method === "GET" ? tagged(answer, known) : answer;
}
