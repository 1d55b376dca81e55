/**
 * Which header family is read: whichever is there, our neutral one (`host`), or one of those that
 * known hosts send (`integrations.codeHost.dialect`).
 */
export type Dialect = "auto" | "host" | "github" | "gitea" | "forgejo";

/** What the receiver reads of a request's headers; null for what is absent. */
export type DeliveryHeaders = {
  readonly id: string | null;
  readonly event: string | null;
  readonly signature: string | null;
  readonly contentType: string | null;
  readonly contentEncoding: string | null;
  readonly contentLength: string | null;
};

export type HeaderFault = { readonly fault: "header-twice" | "families-disagree" };

type Field = "id" | "event" | "signature" | "contentType" | "contentEncoding" | "contentLength";
type Known = {
  readonly slot: number;
  readonly field: Field;
  readonly families: readonly Dialect[];
};

const hosts: readonly Dialect[] = ["github", "gitea", "forgejo"];
const every: readonly Dialect[] = ["host", ...hosts];

/** Header families. Gitea and Forgejo send several at once, which then must agree. */
const names: readonly (readonly [name: string, field: Field, families: readonly Dialect[]])[] = [
  ["x-host-delivery", "id", ["host"]],
  ["x-host-event", "event", ["host"]],
  ["x-host-signature-256", "signature", ["host"]],
  ["x-github-delivery", "id", ["github"]],
  ["x-github-event", "event", ["github"]],
  ["x-gitea-delivery", "id", ["gitea"]],
  ["x-gitea-event", "event", ["gitea"]],
  ["x-forgejo-delivery", "id", ["forgejo"]],
  ["x-forgejo-event", "event", ["forgejo"]],
  ["x-hub-signature-256", "signature", hosts],
  ["content-type", "contentType", every],
  ["content-encoding", "contentEncoding", every],
  ["content-length", "contentLength", every],
];

const known: ReadonlyMap<string, Known> = new Map(
  names.map(([name, field, families], slot) => [name, { slot, field, families }]),
);
const letterC = 99;
const letterX = 120;

/**
 * Reads the delivery's headers out of name and value in turn, as they came (`rawHeaders`): a merged
 * view would hide that a header was sent twice. A header twice, or two families that disagree, is a
 * fault.
 */
export function readHeaders(
  raw: readonly string[],
  dialect: Dialect,
): DeliveryHeaders | HeaderFault {
  const read: { -readonly [K in Field]: string | null } = {
    id: null,
    event: null,
    signature: null,
    contentType: null,
    contentEncoding: null,
    contentLength: null,
  };
  let seen = 0;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const header = lookUp(raw[at] ?? "");
    if (header === undefined || (dialect !== "auto" && !header.families.includes(dialect)))
      continue;
    const bit = 1 << header.slot;
    if ((seen & bit) !== 0) return { fault: "header-twice" };
    seen |= bit;
    const value = raw[at + 1] ?? "";
    const earlier = read[header.field];
    if (earlier !== null && earlier !== value) return { fault: "families-disagree" };
    read[header.field] = value;
  }
  return read;
}

/** Only names that begin with c or x can be ours; the rest are not even lower-cased. */
function lookUp(name: string): Known | undefined {
  const first = name.charCodeAt(0) | 0x20;
  return first === letterX || first === letterC ? known.get(name.toLowerCase()) : undefined;
}
