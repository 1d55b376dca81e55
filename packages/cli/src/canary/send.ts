import { createHmac } from "node:crypto";
import { canaryEvent, type LinkReport } from "@loopwork/core";

/** A canary as it goes to a receiver; `secret` is null where none is set. */
export type SignedCanary = {
  readonly id: string;
  readonly body: string;
  readonly secret: string | null;
  readonly secretEnv: string;
};

/**
 * What came of sending it. `stored`; `unavailable`: the receiver could not store it; `unanswered`:
 * the connection was taken and nothing came back; `kept-back`: by the link that the reports name.
 */
export type Sent = {
  readonly outcome: "stored" | "unavailable" | "unanswered" | "kept-back";
  readonly reports: readonly LinkReport[];
};

const answerWithinMs = 15_000;
const restart = "Run `loop restart` to apply the configuration";

/** Posts it as the code host would. Stored, or which link of the way kept it back. */
export async function sendCanary(url: URL, canary: SignedCanary): Promise<Sent> {
  let response: Response;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: headersOf(canary),
      body: canary.body,
      redirect: "manual",
      signal: AbortSignal.timeout(answerWithinMs),
    });
  } catch (error) {
    if (error instanceof Error && error.name === "TimeoutError")
      return { outcome: "unanswered", reports: [] }; // Connecting alone is given less time.
    const found = `nothing answers at ${url.origin}: ${reasonOf(error)}`;
    return kept({
      link: "port",
      state: "broken",
      found,
      todo: "Run `loop status` to see whether the receiver is running and where. If it isn't, run `loop start`; if it listens elsewhere, `loop restart`.",
    });
  }
  const text = await response.text().catch(() => "");
  if (response.status === 202) return taken(text, canary);
  const code = /"code":"(LOOP_E_[A-Z_]{1,40})"/.exec(text)?.[1] ?? null;
  if (response.status === 503 && code !== null) return { outcome: "unavailable", reports: [] };
  return kept(await keptBack(response.status, code, url, canary));
}

function headersOf({ id, body, secret }: SignedCanary): Record<string, string> {
  const signature =
    secret === null
      ? {}
      : {
          "x-host-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
        };
  return {
    "content-type": "application/json",
    "x-host-event": canaryEvent,
    "x-host-delivery": id,
    ...signature,
  };
}

function taken(text: string, { secret, secretEnv }: SignedCanary): Sent {
  const [port, path] = [
    good("port", "the receiver answers"),
    good("path", "the webhook path is served"),
  ];
  if (!text.includes(`"accepted"`)) {
    return {
      outcome: "kept-back",
      reports: [
        port,
        path,
        {
          link: "routing",
          state: "broken",
          found: "the receiver is an older version that doesn't know test deliveries",
          todo: restart,
        },
      ],
    };
  }
  const signed: LinkReport =
    secret === null
      ? {
          link: "secret",
          state: "weak",
          found: `${secretEnv} isn't set, so deliveries aren't verified`,
          todo: `Set ${secretEnv} here and on the code host, then run \`loop restart\``,
        }
      : good("secret", "signature accepted");
  return { outcome: "stored", reports: [signed, port, path] };
}

/** By what a receiver of ours says; what says anything else is somebody else on the port. */
async function keptBack(
  status: number,
  code: string | null,
  url: URL,
  { secret, secretEnv }: SignedCanary,
): Promise<LinkReport> {
  if (status === 401 && code !== null) {
    const found =
      secret === null
        ? `the receiver requires a signature, but ${secretEnv} isn't set here`
        : `the receiver's secret differs from ${secretEnv} here`;
    return {
      link: "secret",
      state: "broken",
      found,
      todo: `Use the same ${secretEnv} here, in env.file and in the host's webhook settings. ${restart}.`,
    };
  }
  if (status === 404 && (code === "LOOP_E_NOT_FOUND" || (await answersOk(url)))) {
    return {
      link: "path",
      state: "broken",
      found: `${url.pathname} isn't served there`,
      todo: `Compare webhooks.hostWebhook.path with the webhook's URL. ${restart}.`,
    };
  }
  const found =
    code === null
      ? `${url.origin} answers, but isn't a loop receiver (status ${status})`
      : `rejected with ${status} ${code}: something in between changes the request`;
  return {
    link: "port",
    state: "broken",
    found,
    todo: "Run `loop status` to see where the receiver listens, and check for another program on that port or a proxy in front of it",
  };
}

function kept(report: LinkReport): Sent {
  return {
    outcome: "kept-back",
    reports: [...(report.link === "port" ? [] : [good("port", "the receiver answers")]), report],
  };
}

/** A receiver of ours behind a proxy that answers 404 itself. */
async function answersOk({ origin }: URL): Promise<boolean> {
  const signal = AbortSignal.timeout(5_000);
  return fetch(`${origin}/health`, { redirect: "error", signal }).then(
    async (response) => (await response.text()).trim() === "ok",
    () => false,
  );
}

function good(link: LinkReport["link"], found: string): LinkReport {
  return { link, state: "good", found, todo: null };
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}
