import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { objectOf } from "./workspace.ts";

/** A package registry for the time of one run, on loopback alone. */
export type Registry = {
  /** Address without a slash at its end. */
  readonly url: string;
  /** Login and password as HTTP sends them, which publishing asks for; reading is free. */
  readonly token: string;
  close(): Promise<void>;
};

/** Name, versions and tags of a package, and the tarballs by their file names. */
type Published = {
  readonly name: string;
  readonly versions: Record<string, unknown>;
  readonly tags: Record<string, unknown>;
  readonly tarballs: Map<string, Buffer>;
};

type Answer = { readonly status: number; readonly type?: string; readonly body: string | Buffer };

const longestBody = 64 * 1024 * 1024;

/**
 * Keeps in memory what `npm publish` sends, and hands it to `npm install`: the three requests of
 * the registry's protocol that those two make. A version is never taken twice, and nothing without
 * the token.
 */
export async function openRegistry(): Promise<Registry> {
  const token = Buffer.from("loop:the publish check").toString("base64");
  const packages = new Map<string, Published>();
  const server = createServer(
    (request, response) => void respond(request, response, packages, token),
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (typeof address === "object" && address !== null) resolve(address.port);
    });
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, token, close };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  packages: Map<string, Published>,
  token: string,
): Promise<void> {
  const answer = await answerTo(request, packages, token).catch((error: unknown): Answer =>
    problem(400, String(error)),
  );
  response
    .writeHead(answer.status, { "content-type": answer.type ?? "application/json" })
    .end(answer.body);
}

async function answerTo(
  request: IncomingMessage,
  packages: Map<string, Published>,
  token: string,
): Promise<Answer> {
  const path = decodeURIComponent(new URL(request.url ?? "/", "http://loopback").pathname).slice(1);
  if (request.method === "PUT") {
    const body = await bodyOf(request);
    return request.headers.authorization === `Basic ${token}`
      ? publish(path, body, packages)
      : problem(401, "a token is needed to publish");
  }
  if (request.method !== "GET") return problem(405, "only GET and PUT");
  const [name = "", file] = path.split("/-/");
  const found = packages.get(name);
  if (found === undefined) return problem(404, `${name} is not published here`);
  if (file === undefined)
    return {
      status: 200,
      body: JSON.stringify(packument(found, `http://${request.headers.host ?? ""}`)),
    };
  const tarball = found.tarballs.get(file);
  return tarball === undefined
    ? problem(404, `${file} is not published here`)
    : { status: 200, type: "application/octet-stream", body: tarball };
}

function publish(name: string, body: Buffer, packages: Map<string, Published>): Answer {
  const sent = objectOf(JSON.parse(body.toString("utf8")));
  if (sent["name"] !== name)
    return problem(400, `the body is about ${String(sent["name"])}, not ${name}`);
  const known = packages.get(name) ?? {
    name,
    versions: {},
    tags: {},
    tarballs: new Map<string, Buffer>(),
  };
  const versions = objectOf(sent["versions"]);
  const twice = Object.keys(versions).find((version) => version in known.versions);
  if (twice !== undefined) return problem(409, `${name}@${twice} is published already`);
  for (const [file, attachment] of Object.entries(objectOf(sent["_attachments"]))) {
    // npm names the file by package and version; the address of a tarball has the part without the
    // scope.
    known.tarballs.set(
      file.split("/").at(-1) ?? file,
      Buffer.from(String(objectOf(attachment)["data"]), "base64"),
    );
  }
  packages.set(name, {
    ...known,
    versions: { ...known.versions, ...versions },
    tags: { ...known.tags, ...objectOf(sent["dist-tags"]) },
  });
  return { status: 201, body: JSON.stringify({ ok: true }) };
}

/** What a client reads before it installs; tarballs are fetched from where the question came to. */
function packument({ name, versions, tags, tarballs }: Published, origin: string): unknown {
  const files = [...tarballs.keys()];
  const located = Object.entries(versions).map(([version, manifest]) => {
    const file = files.find((each) => each.endsWith(`-${version}.tgz`)) ?? "";
    const fields = objectOf(manifest);
    return [
      version,
      { ...fields, dist: { ...objectOf(fields["dist"]), tarball: `${origin}/${name}/-/${file}` } },
    ] as const;
  });
  return { _id: name, name, "dist-tags": tags, versions: Object.fromEntries(located) };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > longestBody) throw new Error(`a package may be ${longestBody} bytes long`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function problem(status: number, error: string): Answer {
  return { status, body: JSON.stringify({ error }) };
}
