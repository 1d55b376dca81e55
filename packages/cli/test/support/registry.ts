import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const packageDir = fileURLToPath(new URL("../../", import.meta.url));
const name = "@loopwork/cli";

/**
 * A package registry on loopback that knows one package, and npm with a home of its own that asks
 * nobody else.
 */
export type Registry = {
  /** Publishes the built command line under a version; `spoil` changes its files before. */
  publish(version: string, spoil?: (dir: string) => void): Promise<void>;
  /** Forgets everything that was published. */
  forget(): void;
  /** Installs the newest version globally, as people do; resolves to its `loop`. */
  install(): Promise<string>;
  /** Variables with which npm and what it installed run. */
  readonly env: Readonly<Record<string, string>>;
};

export async function createRegistry(dir: string): Promise<Registry> {
  const published = new Map<string, { readonly tarball: Buffer; readonly manifest: unknown }>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "");
    const version = /^\/tarballs\/(.+)\.tgz$/.exec(path)?.[1];
    if (version !== undefined) return void response.end(published.get(version)?.tarball);
    const latest = [...published.keys()].at(-1);
    if (path !== `/${name}` || latest === undefined)
      return void response.writeHead(404, { "content-type": "application/json" }).end("{}");
    const versions = Object.fromEntries(
      [...published].map(([each, { manifest }]) => [each, manifest]),
    );
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ name, "dist-tags": { latest }, versions }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  const prefix = join(dir, "prefix");
  // What the command line needs of others is found here, by Node's own rules, so that nothing has
  // to be fetched.
  symlinkSync(join(packageDir, "node_modules"), join(dir, "node_modules"));
  const env = {
    npm_config_registry: url,
    npm_config_cache: join(dir, "npm-cache"),
    npm_config_userconfig: join(dir, "npmrc"),
    npm_config_prefix: prefix,
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false",
    PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
    HOME: dir,
  };
  const npm = (...args: string[]): Promise<string> =>
    new Promise(
      (resolve, reject) =>
        void execFile("npm", args, { cwd: dir, env, encoding: "utf8" }, (error, out, err) =>
          error ? reject(new Error(`npm ${args.join(" ")}: ${out}${err}`)) : resolve(out),
        ),
    );

  return {
    env,
    forget: () => published.clear(),
    async publish(version, spoil = () => {}) {
      const folder = join(dir, "packages", version);
      mkdirSync(folder, { recursive: true });
      cpSync(join(packageDir, "dist"), join(folder, "dist"), { recursive: true });
      cpSync(join(packageDir, "../../plugins/loop"), join(folder, "plugin", "loop"), {
        recursive: true,
      });
      const manifest = { name, version, type: "module", bin: { loop: "dist/bin.js" } };
      writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
      spoil(folder);
      const file = join(
        folder,
        (await npm("pack", folder, "--silent", "--pack-destination", folder)).trim(),
      );
      const tarball = readFileSync(file);
      const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
      published.set(version, {
        tarball,
        manifest: { ...manifest, dist: { tarball: `${url}/tarballs/${version}.tgz`, integrity } },
      });
    },
    async install() {
      await npm("install", "-g", name);
      return join(prefix, "lib", "node_modules", name, "dist", "bin.js");
    },
  };
}
