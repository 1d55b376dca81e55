import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { TLSSocket } from "node:tls";
import { inspect } from "node:util";
import { deliveryOf } from "@loopwork/core/testing";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { StoreError } from "@loopwork/store";
import { openPostgresStore } from "../src/index.ts";
import { openClient } from "../src/driver.ts";
import { failureOf } from "../src/failure.ts";
import { checkServer } from "../src/server.ts";
import { makeDatabase, type TestDatabase } from "./databases.ts";

const options = { instance: "default", now: Date.now };
let database: TestDatabase;
beforeAll(async () => void (database = await makeDatabase()));
afterAll(() => database.drop());

/** The refusal, which shows nothing of the URL's secrets however it is looked at. */
async function refused(
  url: string,
  over: Partial<Parameters<typeof openPostgresStore>[1]> = {},
): Promise<StoreError> {
  const error: unknown = await openPostgresStore(url, { ...options, ...over }).then(
    (store) => store.close(),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof StoreError)) throw new Error(`expected a refusal, got ${inspect(error)}`);
  for (const secret of ["s3cret", new URL(inject("postgresUrl")).password])
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(secret);
  expect(error.hint.length).toBeGreaterThan(20);
  return error;
}

/** Says yes to TLS as PostgreSQL does, and has no certificate. */
async function startBareTls(): Promise<{ readonly port: number; close(): void }> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      socket.write("S");
      new TLSSocket(socket, { isServer: true }).on("error", () => socket.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    close: () => void server.close(),
  };
}

function changed(change: (url: URL) => void): string {
  const url = new URL(database.url);
  change(url);
  return url.href;
}

describe("what is wrong with a server is said in one sentence with a hint, and without the password", () => {
  test.each([
    "postgres:",
    "postgres://",
    "postgres://u:s3cret@host",
    "postgres://u:s3cret@host/",
    "postgres://u:s3cret@host/a/b",
    "postgres://u:s3cret@host:99999/db",
    "postgres://u:s3cret%zz@host/db",
    "postgresql://u:s3cret@/db",
  ])("a URL that cannot be used: %s", async (url) => {
    expect(await refused(url)).toMatchObject({ code: "LOOP_E_STORE_URL" });
  });

  test("a URL that asks for TLS in the older words says nothing by the way", async () => {
    const warned: string[] = [];
    const note = (warning: Error): void => void warned.push(warning.message);
    process.on("warning", note);
    for (const mode of ["prefer", "require", "verify-ca"])
      await refused(changed((url) => url.searchParams.set("sslmode", mode)));
    await new Promise(setImmediate);
    process.off("warning", note);
    expect(warned).toEqual([]);
  });

  test("a wrong password, and a user that is not there", async () => {
    expect(await refused(changed((url) => (url.password = "s3cret")))).toMatchObject({
      code: "LOOP_E_STORE_LOGIN",
      message: expect.stringContaining("loop"),
    });
    expect(await refused(changed((url) => (url.username = "nobody-here")))).toMatchObject({
      code: "LOOP_E_STORE_LOGIN",
    });
  });

  test("no password where the server asks for one", async () => {
    expect(await refused(changed((url) => (url.password = "")))).toMatchObject({
      code: "LOOP_E_STORE_LOGIN",
      hint: expect.stringContaining("password"),
    });
  });

  test("a server without TLS, where the URL asks for it; a server that has no certificate to show; a certificate file that is not there", async () => {
    expect(
      await refused(changed((url) => url.searchParams.set("sslmode", "require"))),
    ).toMatchObject({ code: "LOOP_E_STORE_TLS", hint: expect.stringContaining("sslmode") });
    const bare = await startBareTls();
    const url = `postgres://loop:s3cret@127.0.0.1:${bare.port}/db?sslmode=require`;
    expect(await refused(url)).toMatchObject({
      code: "LOOP_E_STORE_TLS",
      message: expect.stringContaining(`127.0.0.1:${bare.port}`),
    });
    bare.close();
    expect(await refused(`${url}&sslrootcert=/no/such/ca.pem`)).toMatchObject({
      code: "LOOP_E_STORE_TLS",
      message: expect.stringContaining("/no/such/ca.pem"),
    });
  });

  test.each([
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "CERT_HAS_EXPIRED",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "ERR_SSL_WRONG_VERSION_NUMBER",
    "HOSTNAME_MISMATCH",
  ])("a certificate that is not trusted: %s", (code) => {
    expect(
      failureOf(Object.assign(new Error("self-signed certificate"), { code }), {
        server: "db:5432",
        database: "loop",
        user: "u",
      }),
    ).toMatchObject({ code: "LOOP_E_STORE_TLS" });
  });

  test("a login that fails leaves no connection behind, which would keep the database from being copied or dropped", async () => {
    const own = await makeDatabase();
    const name = new URL(own.url).pathname.slice(1);
    const url = new URL(own.url);
    url.password = "";
    await refused(url.href);
    await expect(openClient(url.href, "loop test")).rejects.toThrow("SASL");
    const left = async (): Promise<readonly unknown[]> =>
      database.query(
        `select 1 from pg_stat_activity where datname = '${name}' or (backend_type = 'client backend' and state is null)`,
      );
    const until = performance.now() + 20_000;
    while ((await left()).length > 0 && performance.now() < until) await sleep(20);
    expect(await left()).toEqual([]);
    await own.drop();
  }, 60_000);

  test("a database that is not there", async () => {
    expect(await refused(changed((url) => (url.pathname = "/no_such_database")))).toMatchObject({
      code: "LOOP_E_STORE_NO_DATABASE",
      message: expect.stringContaining("no_such_database"),
    });
  });

  test("a server that is not there, by port and by name", async () => {
    expect(await refused(changed((url) => (url.port = "1")))).toMatchObject({
      code: "LOOP_E_STORE_AWAY",
      message: expect.stringContaining("127.0.0.1:1"),
    });
    expect(
      await refused(changed((url) => (url.hostname = "no-such-server.invalid"))),
    ).toMatchObject({ code: "LOOP_E_STORE_AWAY" });
  });

  test("a server that is too old", () => {
    const place = { server: "host:5432", database: "db", user: "u" };
    expect(() =>
      checkServer({ version: 130_022, name: "13.22", readonly: false }, place, false),
    ).toThrow(
      expect.objectContaining({
        code: "LOOP_E_STORE_TOO_OLD",
        message: expect.stringContaining("13.22"),
      }),
    );
    expect(() =>
      checkServer({ version: 140_000, name: "14.0", readonly: false }, place, false),
    ).not.toThrow();
  });

  test("a user that may not make tables", async () => {
    const own = await makeDatabase();
    await own.query(
      "create role guest login password 's3cret'; revoke create on schema public from public",
    );
    const url = new URL(own.url);
    [url.username, url.password] = ["guest", "s3cret"];
    expect(await refused(url.href)).toMatchObject({
      code: "LOOP_E_STORE_RIGHTS",
      message: expect.stringContaining("guest"),
    });
    await own.drop();
    await database.query("drop role guest");
  });

  test("a server that is set to read only takes no writer, but a reader once there is a store", async () => {
    const own = await makeDatabase();
    const readonly = `${own.url}?options=-c%20default_transaction_read_only%3Don`;
    expect(await refused(readonly)).toMatchObject({ code: "LOOP_E_STORE_STANDBY" });
    expect(await refused(own.url, { readonly: true })).toMatchObject({
      code: "LOOP_E_STORE_MISSING",
    });
    await (await openPostgresStore(own.url, options)).close();
    const reader = await openPostgresStore(readonly, { ...options, readonly: true });
    expect(await reader.log.undecided(1)).toEqual([]);
    await expect(reader.events.append([])).rejects.toMatchObject({ code: "LOOP_E_STORE_READONLY" });
    await expect(reader.append(deliveryOf("a"))).rejects.toMatchObject({
      code: "LOOP_E_STORE_UNAVAILABLE",
    });
    await reader.close();
    await own.drop();
  });
});

test("a server that takes a connection and ends it in the same breath is an error of that connection, not of the process", async () => {
  const [taken, ready] = [
    Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 0]),
    Buffer.from([90, 0, 0, 0, 5, 73]),
  ];
  const fields = Buffer.from("SFATAL\0C57P01\0Mterminating connection\0\0");
  const ended = Buffer.concat([Buffer.from([69, 0, 0, 0, 4 + fields.length]), fields]);
  const server = createServer(
    (socket) => void socket.once("data", () => socket.end(Buffer.concat([taken, ready, ended]))),
  ).listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  try {
    const client = await openClient(
      `postgres://ada:secret@127.0.0.1:${address.port}/loop`,
      "loop test",
    );
    await expect(client.query("select 1")).rejects.toThrow();
  } finally {
    server.close();
  }
});
