import { describe, expect, test } from "vitest";
import {
  badInputs,
  type Described,
  readDocument,
  requestOf,
  requiredOnly,
} from "../../../control-plane/test/support/document.ts";
import { type RunningService, startService } from "../support/service.ts";
import { until } from "../support/until.ts";
import { createWorld } from "../support/world.ts";

type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  json(): unknown;
};
type Asking = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
};

/** A client that knows the service by its document alone. */
function clientOf({ url, token }: RunningService): {
  ask(path: string, asking?: Asking): Promise<Answer>;
} {
  return {
    async ask(path, { method = "GET", headers = {}, body } = {}) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...headers },
        ...(body === undefined ? {} : { body: String(body) }),
      });
      const endless =
        response.headers.get("content-type")?.startsWith("text/event-stream") === true;
      const text = endless ? "" : await response.text();
      if (endless) await response.body?.cancel();
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text,
        json: () => JSON.parse(text),
      };
    },
  };
}

describe("a client that has read nothing but the OpenAPI document, in front of the real service", () => {
  test(
    "gets from every route, for good and for bad input, what the document says",
    { timeout: 180_000 },
    async () => {
      const world = await createWorld();
      const service = await startService(world);
      const client = clientOf(service);
      const number = world.startIssue("{{stub:text watered}}");
      await until(
        async () =>
          JSON.stringify((await service.get("/api/v1/turns?state=done")).body).includes('"id":1'),
        "the first turn",
      );
      await world.host.commit({
        branch: "watering",
        message: "Water",
        files: { "water.txt": "wet\n" },
        by: "loop-agent",
      });
      const pull = await world.host.openPull({
        title: "Water",
        head: "watering",
        by: "loop-agent",
      });
      const { items } = (await service.get("/api/v1/deliveries")).body as {
        items: { id: string }[];
      };
      const { operations, check } = await readDocument(client);
      const known: Readonly<Record<string, unknown>> = {
        ref: world.ref(number),
        id: items[0]?.id,
        login: "grace",
        verb: "pause",
        text: "Use the can.",
        since: 0,
        pullRequest: String(pull.number),
        harnessSessionId: "5e551011-0000-4000-8000-000000000001",
      };
      const inputOf = (operation: Described): Readonly<Record<string, unknown>> => ({
        ...requiredOnly(operation, {
          ...known,
          ...(operation.path.includes("/turns/") ? { id: 1 } : {}),
        }),
        ...(operation.id === "register-session" ? { workdir: world.scene.dir } : {}),
      });

      const told: string[] = [];
      const tell = async (
        operation: Described,
        input: Readonly<Record<string, unknown>>,
      ): Promise<number> => {
        const { path, asking } = requestOf(operation, input);
        const answer = await client.ask(path, asking);
        check(operation, answer);
        told.push(operation.id);
        return answer.status;
      };
      for (const operation of operations) {
        for (const [what, input] of badInputs(operation, inputOf(operation))) {
          // What is beside the operations and takes nothing asks about nothing.
          if (
            operation.parameters.length === 0 &&
            operation.body === null &&
            !operation.path.startsWith("/api/v1/")
          )
            continue;
          if (operation.id === "show-openapi") continue;
          expect(await tell(operation, input), `${operation.id}: ${what}`).toBe(400);
        }
      }
      // A restart has a test of its own: this service has to stay. What reads comes before what
      // changes.
      for (const operation of operations
        .filter(({ id }) => id !== "restart")
        .toSorted((a, b) => Number(a.method !== "get") - Number(b.method !== "get")))
        expect(await tell(operation, inputOf(operation)), operation.id).toBe(200);
      expect(new Set(told).size).toBe(operations.length);
      expect((await service.get("/api/v1/events?kind=daemon.stopped")).body).toMatchObject({
        items: [],
      });
    },
  );
});
