import { StoreError } from "@loopwork/store/driver";
import type { Place } from "./url.ts";

/**
 * SQLSTATE codes after which the same transaction may go through: two met, or both inserted the
 * same row first.
 */
const collided: ReadonlySet<string> = new Set(["40001", "40P01", "23505"]);

/** Errors of the network and of the name service, as Node names them. */
const networkErrors: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENOENT",
  "EACCES",
]);

/** What the driver says, without a code, when a connection is lost or cannot be made in time. */
const lostConnection =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed)/;

/**
 * What the driver says where it has no password, or the server wants none of the ways to prove one
 * that it knows.
 */
const noProof = /^SASL/;

/**
 * What Node and the driver say when the two ends do not agree on TLS, or the server's certificate
 * is not trusted; and where a file of certificates cannot be read.
 */
const tlsCode =
  /^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|HOSTNAME_MISMATCH|EPROTO)/;
const noTls = /^(The server does not support SSL|There was an error establishing an SSL)/;

/**
 * The failure of the storage behind an error of the driver; null for errors that have another
 * cause, such as a bug of ours.
 */
export function failureOf(error: unknown, place: Place): StoreError | null {
  if (error instanceof StoreError) return error;
  const code = codeOf(error);
  if (isTls(error))
    return new StoreError(
      "LOOP_E_STORE_TLS",
      `The way to PostgreSQL at ${place.server} cannot be made safe: ${detailOf(error).replace(/; if the root CA.*/, "")}.`,
      "Set sslmode in the URL as the server is: with `sslrootcert=<file>` the certificate to trust stands in a file, `sslmode=no-verify` trusts any, `sslmode=disable` goes without TLS.",
    );
  if (error instanceof Error && noProof.test(error.message)) return login(place);
  if (isAway(error)) return away(place, detailOf(error));
  switch (code) {
    case "28P01":
    case "28000":
      return login(place);
    case "3D000":
      return new StoreError(
        "LOOP_E_STORE_NO_DATABASE",
        `PostgreSQL at ${place.server} has no database ${place.database}.`,
        "Create it, or name another one in the URL.",
      );
    case "42501":
    case "3F000":
      return new StoreError(
        "LOOP_E_STORE_RIGHTS",
        `${place.user ?? "This user"} may not work in the database ${place.database}: ${detailOf(error)}.`,
        "Make the user the owner of the database, or grant it usage and create on its schema.",
      );
    case "25006":
      return standby(place);
    case "55P03":
    case "57014":
    case "25P03":
      return new StoreError(
        "LOOP_E_STORE_BUSY",
        "PostgreSQL took too long over a statement, or another session keeps what it needs.",
        "Look at pg_stat_activity for who waits for whom; what failed is tried again.",
      );
    case "53100":
    case "53200":
      return new StoreError(
        "LOOP_E_STORE_FULL",
        "The disk or the memory of the PostgreSQL server is full.",
        "Make room there; the store goes on by itself.",
      );
    default:
      return null;
  }
}

/** Whether a new connection may help: there is none, or the server ends or does not take it now. */
export function isAway(error: unknown): boolean {
  const code = codeOf(error);
  if (isTls(error)) return false;
  if (code === null) return error instanceof Error && lostConnection.test(error.message);
  return (
    code.startsWith("08") || code.startsWith("57P") || code === "53300" || networkErrors.has(code)
  );
}

/** Whether the same transaction may go through when it is tried again at once. */
export function hasCollided(error: unknown): boolean {
  return collided.has(codeOf(error) ?? "");
}

function isTls(error: unknown): boolean {
  const code = codeOf(error);
  if (code === null) return error instanceof Error && noTls.test(error.message);
  return tlsCode.test(code) || isUnreadableFile(error);
}

/** Such as one that `sslrootcert` names; a socket that is not there says `connect`. */
function isUnreadableFile(error: unknown): boolean {
  return (
    error instanceof Error &&
    "syscall" in error &&
    (error.syscall === "open" || error.syscall === "read") &&
    "path" in error
  );
}

function login(place: Place): StoreError {
  return new StoreError(
    "LOOP_E_STORE_LOGIN",
    `PostgreSQL at ${place.server} does not let ${place.user ?? "this user"} into ${place.database}.`,
    "Check user and password in the URL, and the server's pg_hba.conf.",
  );
}

export function standby(place: Place): StoreError {
  return new StoreError(
    "LOOP_E_STORE_STANDBY",
    `PostgreSQL at ${place.server} only answers questions: it is a replica, or set to read only.`,
    "Name the primary in the URL.",
  );
}

function away(place: Place, detail: string): StoreError {
  return new StoreError(
    "LOOP_E_STORE_AWAY",
    `PostgreSQL at ${place.server} cannot be reached: ${detail}.`,
    "Start it, or mend the way to it; the store goes on by itself.",
  );
}

function codeOf(error: unknown): string | null {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : null;
}

/** The driver's own words: they name addresses and users, never a password. */
function detailOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return detailOf(error.errors[0]);
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
}
