import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { RequestHandler } from "express";
import { LoopError } from "@loopwork/core/ports";

/**
 * Where `vite build` puts the dashboard, also for whoever runs the sources.
 */
const folder = fileURLToPath(
  new URL("dist/ui/", import.meta.resolve("@loopwork/control-plane/package.json")),
);

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/**
 * The page may load its own files and ask its own service, and nothing else; a text can never
 * become a script.
 */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

type Served = { readonly type: string; readonly bytes: Buffer };

/**
 * The dashboard at `/`, whose shell holds no data and is served without the token. Its files are
 * read when the first one is asked for, and are the only ones that can be.
 */
export function dashboard(): RequestHandler {
  let files: ReadonlyMap<string, Served> | null = null;
  return (request, response, next) => {
    if (request.path !== "/" && !request.path.startsWith("/assets/")) return next();
    if (request.method !== "GET" && request.method !== "HEAD") return next();
    files ??= readFiles();
    const served = files.get(request.path === "/" ? "/index.html" : request.path);
    if (files.size === 0)
      return next(
        new LoopError("LOOP_E_NOT_FOUND", "The dashboard is not built", "Run `npm run build`"),
      );
    if (served === undefined) return next();
    // Its addresses are relative: under a prefix without a slash behind it they would miss.
    const [path = "", query] = request.originalUrl.split("?");
    if (request.path === "/" && !path.endsWith("/"))
      return response.redirect(308, `${path}/${query === undefined ? "" : `?${query}`}`);
    response.setHeader("content-security-policy", policy);
    response.setHeader("referrer-policy", "no-referrer");
    if (request.path !== "/")
      response.setHeader("cache-control", "private, max-age=31536000, immutable");
    response
      .writeHead(200, { "content-type": served.type, "content-length": served.bytes.length })
      .end(request.method === "HEAD" ? undefined : served.bytes);
  };
}

function readFiles(): ReadonlyMap<string, Served> {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) =>
      name.replaceAll("\\", "/"),
    );
    return new Map(
      names.flatMap((name) => {
        const type = types[extname(name)];
        return type === undefined
          ? []
          : [[`/${name}`, { type, bytes: readFileSync(`${folder}${name}`) }]];
      }),
    );
  } catch {
    return new Map();
  }
}
