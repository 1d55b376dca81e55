import type { IncomingMessage } from "node:http";
import { LoopError } from "@loopwork/core/ports";

/** Largest body, in bytes: a `say` of 65,536 characters fits however it is escaped. */
export const largestBody: number = 512 * 1024;
const withinMs = 15_000;

/**
 * The JSON body of a request; an empty one is an empty object. Anything but JSON is refused before
 * it is read, so that no form on a page can be a request. `parsed` is what an application around us
 * has read already.
 */
export async function readJson(
  request: IncomingMessage & { readonly body?: unknown },
): Promise<unknown> {
  const type = (request.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json")
    throw new LoopError(
      "LOOP_E_BODY_TYPE",
      "Unsupported content type: expected JSON",
      "Send `Content-Type: application/json`, with {} for an empty input",
    );
  if (request.headers["content-encoding"] !== undefined)
    throw new LoopError(
      "LOOP_E_BODY_COMPRESSED",
      "Compressed bodies are not supported",
      "Send the body uncompressed",
    );
  if (request.body !== undefined) return request.body;
  const bytes = await readBytes(request);
  if (bytes.length === 0) return {};
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new LoopError(
      "LOOP_E_BODY_JSON",
      "The body is not valid JSON",
      "Send a JSON object in UTF-8",
    );
  }
}

function readBytes(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const timer = setTimeout(
      () =>
        refuse(
          new LoopError(
            "LOOP_E_BODY_LATE",
            "The body took too long to arrive",
            "Send it within 15 s",
          ),
        ),
      withinMs,
    );
    const refuse = (error: unknown): void => {
      clearTimeout(timer);
      request.off("data", take);
      request.resume(); // What is left is dropped; the answer closes the connection.
      reject(error);
    };
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > largestBody)
        refuse(
          new LoopError(
            "LOOP_E_BODY_TOO_LARGE",
            "The body is too large",
            `Send at most ${largestBody} bytes`,
          ),
        );
      else chunks.push(chunk);
    };
    if (Number(request.headers["content-length"] ?? 0) > largestBody)
      return refuse(
        new LoopError(
          "LOOP_E_BODY_TOO_LARGE",
          "The body is too large",
          `Send at most ${largestBody} bytes`,
        ),
      );
    request.on("data", take);
    request.once("end", () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks));
    });
    request.once("error", () =>
      refuse(
        new LoopError(
          "LOOP_E_BODY_LATE",
          "The body is shorter than its Content-Length",
          "Send all of it",
        ),
      ),
    ); // Nobody is there to hear it.
  });
}
