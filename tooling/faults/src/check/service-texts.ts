import { readFileSync } from "node:fs";
import { untilUp } from "../until-up.ts";

type Text = { readonly where: string; readonly text: string };

/**
 * What a running service shows on its interface: everything that can be asked for without naming
 * something. One that is on its way up is waited for.
 */
export async function readServiceTexts(url: string, tokenFile: string): Promise<readonly Text[]> {
  await untilUp(`${url}/health`);
  const headers = { authorization: `Bearer ${readFileSync(tokenFile, "utf8").trim()}` };
  const ask = async (path: string): Promise<Text> => ({
    where: `the answer to ${path}`,
    text: await (
      await fetch(`${url}${path}`, { headers, signal: AbortSignal.timeout(10_000) })
    ).text(),
  });
  const described = await ask("/api/v1/openapi.json");
  const document: unknown = JSON.parse(described.text);
  const paths =
    typeof document === "object" &&
    document !== null &&
    "paths" in document &&
    typeof document.paths === "object" &&
    document.paths !== null
      ? Object.entries(document.paths)
      : [];
  const readable = paths.filter(
    ([path, methods]) =>
      !path.includes("{") &&
      !path.endsWith("/stream") &&
      typeof methods === "object" &&
      methods !== null &&
      "get" in methods,
  );
  if (readable.length === 0) throw new Error("the service describes nothing that can be asked for");
  return Promise.all(
    readable.map(([path]) => ask(path.startsWith("/api/") ? path : `/api/v1${path}`)),
  );
}
