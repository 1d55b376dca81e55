import { type Decoder, Misfit, nullable, object, text } from "./decode.ts";

/**
 * Why an answer is missing: `status` 0 where nothing answered. `sentence` and `hint` are the
 * service's own words wherever it has said any.
 */
export class Unanswered extends Error {
  readonly status: number;
  readonly hint: string;

  constructor(status: number, sentence: string, hint: string) {
    super(sentence);
    this.status = status;
    this.hint = hint;
  }
}

export type Write = { readonly method: "POST" | "PUT" | "DELETE"; readonly body?: object };

/** The one way to the service. Rejects with `Unanswered` and nothing else. */
export type Ask = {
  <T>(path: string, decode: Decoder<T>, write?: Write): Promise<T>;
  /** The answer as it comes, for what is a stream; `headers` beside those of every request. */
  open(
    path: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Response>;
};

const problem = object({ detail: text, hint: nullable(text) });

/** `token` is null where an application around the service lets people in by its own means. */
export function createAsk(token: string | null): Ask {
  const authorization: Readonly<Record<string, string>> =
    token === null ? {} : { authorization: `Bearer ${token}` };
  const send = (path: string, init: RequestInit): Promise<Response> =>
    fetch(`./api/v1${path}`, {
      ...init,
      credentials: "same-origin",
      cache: "no-store",
      redirect: "error",
    }).catch(() => {
      throw new Unanswered(
        0,
        "The service does not answer.",
        "`loop status` says whether it runs; `loop start` starts it.",
      );
    });
  const ask = async <T>(path: string, decode: Decoder<T>, write?: Write): Promise<T> => {
    const response = await send(
      path,
      write === undefined
        ? { headers: authorization }
        : {
            method: write.method,
            headers: { ...authorization, "content-type": "application/json" },
            ...(write.method === "DELETE" ? {} : { body: JSON.stringify(write.body ?? {}) }),
          },
    );
    const answer: unknown = await response.json().catch(() => null);
    if (!response.ok) throw refusal(response.status, answer);
    try {
      return decode(answer, path);
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      throw new Unanswered(
        response.status,
        "The service is of another version than this page.",
        "Reload the page.",
      );
    }
  };
  return Object.assign(ask, {
    open: (path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal) =>
      send(path, { headers: { ...authorization, ...headers }, signal }),
  });
}

function refusal(status: number, answer: unknown): Unanswered {
  try {
    const { detail, hint } = problem(answer, "problem");
    return new Unanswered(status, sentence(detail), sentence(hint ?? ""));
  } catch {
    return new Unanswered(status, `The service answered ${status}.`, "");
  }
}

/** Errors are told as the part of a line; here they stand alone. */
function sentence(part: string): string {
  return part === ""
    ? ""
    : `${part.slice(0, 1).toUpperCase()}${part.slice(1)}${/[.!?]$/.test(part) ? "" : "."}`;
}
