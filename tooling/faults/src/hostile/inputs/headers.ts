import { gzipSync } from "node:zlib";
import {
  accepted,
  between,
  delivery,
  type DeliveryParts,
  digestOf,
  type Header,
  type Input,
  type Maker,
  pick,
  signatureOf,
} from "../input.ts";
import { changedAfterSigning } from "./bytes.ts";
import { examplesFor } from "./examples.ts";

type Odd = Omit<DeliveryParts, "kind" | "body" | "event"> & {
  readonly body?: Buffer;
  readonly event?: string;
};
const is = (code: string): readonly string[] => [code];

/** A good delivery under a signature that is none, or not its own. */
export function wrongSignature(maker: Maker): Input {
  const { random, stage } = maker;
  if (random() < 0.4) return changedAfterSigning(maker, signatureOf);
  const { event, text } = pick(random, examplesFor(stage));
  const body = Buffer.from(text);
  const good = signatureOf(body, stage.secret);
  const digits = good.slice("sha256=".length);
  const odd: readonly (readonly [string, string | null, string])[] = [
    ["none", null, "SIGNATURE_MISSING"],
    ["empty", "", "SIGNATURE_FORM"],
    ["another secret", signatureOf(body, `${stage.secret}x`), "SIGNATURE_WRONG"],
    ["of the empty secret", signatureOf(body, "\0"), "SIGNATURE_WRONG"],
    [
      "upper case",
      `sha256=${digits.toUpperCase()}`,
      /[a-f]/.test(digits) ? "SIGNATURE_FORM" : "SIGNATURE_WRONG",
    ],
    ["upper-case name", `SHA256=${digits}`, "SIGNATURE_FORM"],
    ["sha1", `sha1=${digits.slice(0, 40)}`, "SIGNATURE_FORM"],
    ["short", good.slice(0, -1), "SIGNATURE_FORM"],
    ["long", `${good}0`, "SIGNATURE_FORM"],
    ["bare", digits, "SIGNATURE_FORM"],
    ["no digits", `sha256=${"g".repeat(64)}`, "SIGNATURE_FORM"],
    ["zeros", `sha256=${"0".repeat(64)}`, "SIGNATURE_WRONG"],
    ["10 KB", `sha256=${"a".repeat(10_000)}`, "SIGNATURE_FORM"],
    ["two in one", `${good},${good}`, "SIGNATURE_FORM"],
    ["its own digest", `sha256=${digestOf(body)}`, "SIGNATURE_WRONG"],
  ];
  const [what, signature, code] = pick(random, odd);
  return delivery(maker, {
    kind: "signature",
    what,
    event,
    body,
    signature,
    answers: is(`401 LOOP_E_${code}`),
  });
}

/** A good body under headers that are off their grammar, doubled, contradictory or too large. */
export function oddHeaders(maker: Maker): Input {
  const { random, stage } = maker;
  const { event, text } = pick(random, examplesFor(stage));
  const body = Buffer.from(text);
  const odd = pick(random, oddOnes(maker, signatureOf(body, stage.secret)));
  return delivery(maker, { kind: "headers", event, body, ...odd });
}

function oddOnes({ runId, n, random }: Maker, good: string): readonly Odd[] {
  const id = `${runId}-${n}`;
  const ids = [
    "",
    " ",
    "a b",
    "../../etc/passwd",
    "x".repeat(129),
    "x".repeat(10_000),
    "d\xe9",
    "a/b",
    "a%00b",
    "${jndi:ldap://x}",
    "'; drop table delivery; --",
    "a,b",
    "\x80\x81",
  ];
  const events = [
    "",
    "Issues",
    "a/b",
    "issues ",
    "x".repeat(65),
    "x".repeat(9_000),
    "issues;x",
    "issues,status",
    "\xef\xbb\xbfissues",
    "is-sues",
  ];
  const parsed = ["a\0b", "a\rb", "a\x07", "a\nb"]; // Node's own parser ends these.
  const replaced = (name: string, value: string): Pick<Odd, "without" | "extra"> => ({
    without: [name.toLowerCase()],
    extra: [[name, value]],
  });
  const [oddId, oddEvent, control] = [
    pick(random, ids),
    pick(random, events),
    pick(random, parsed),
  ];
  const twice: Header = pick(random, [
    ["X-Host-Delivery", id],
    ["x-host-delivery", `${id}-b`],
    ["X-Host-Event", "status"],
    ["X-HOST-SIGNATURE-256", good],
    ["Content-Type", "application/json"],
  ]);
  const contrary: Header = pick(random, [
    ["X-GitHub-Delivery", `${id}-b`],
    ["X-Gitea-Event", "odd"],
    ["X-Forgejo-Delivery", "other"],
    ["X-Hub-Signature-256", "sha256="],
  ]);
  return [
    {
      what: `the id ${JSON.stringify(oddId).slice(0, 40)}`,
      ...replaced("X-Host-Delivery", oddId),
      answers: is("400 LOOP_E_DELIVERY_ID"),
    },
    // Blanks around a value are no part of it.
    {
      what: `the event ${JSON.stringify(oddEvent).slice(0, 40)}`,
      ...replaced("X-Host-Event", oddEvent),
      answers:
        oddEvent === "issues " ? ["202 accepted", "202 duplicate"] : is("400 LOOP_E_EVENT_NAME"),
    },
    {
      what: `the id ${JSON.stringify(control)}`,
      ...replaced("X-Host-Delivery", control),
      answers: is("400 LOOP_E_HTTP"),
      after: "close",
    },
    { what: "no id", without: ["x-host-delivery"], answers: is("400 LOOP_E_DELIVERY_ID") },
    { what: "no event", without: ["x-host-event"], answers: is("400 LOOP_E_EVENT_NAME") },
    { what: `${twice[0]} twice`, extra: [twice], answers: is("400 LOOP_E_HEADER_TWICE") },
    {
      what: `another ${contrary[0]}`,
      extra: [contrary],
      answers: is("400 LOOP_E_HEADER_CONFLICT"),
    },
    {
      what: "20 KB of headers",
      extra: [["X-Filler", "x".repeat(20_000)]],
      answers: is("431 LOOP_E_HEADERS_TOO_LARGE"),
      after: "close",
    },
    {
      what: "3,000 small headers",
      extra: Array.from({ length: 3_000 }, (_, at): Header => [`X-${at}`, "1"]),
      answers: ["431 LOOP_E_HEADERS_TOO_LARGE", ...accepted],
      after: "close",
    },
    {
      what: "an upgrade",
      extra: [
        ["Connection", "Upgrade"],
        ["Upgrade", "h2c"],
      ],
      answers: [...accepted, "none"],
      after: "close",
    },
    {
      what: "an expectation",
      extra: [["Expect", "the impossible"]],
      answers: accepted,
      after: "close",
    },
  ];
}

/** Bodies that say that they are something else, or are. */
export function oddEncoding(maker: Maker): Input {
  const { random, stage } = maker;
  const { event, text } = pick(random, examplesFor(stage));
  const plain = Buffer.from(text);
  const bomb = gzipSync(Buffer.alloc(between(random, 1, 4_000_000)));
  const type = pick(random, [
    "application/x-www-form-urlencoded",
    "Application/X-WWW-Form-Urlencoded; charset=utf-8",
    "multipart/form-data; boundary=x",
  ]);
  const other = pick(random, [
    "text/plain",
    "text/plain;application/json",
    "application/xml",
    "application/jsonx",
    "x",
    "",
    "/",
  ]);
  const odd: readonly Odd[] = [
    {
      what: "a compressed body that says so",
      body: bomb,
      extra: [
        [
          "Content-Encoding",
          pick(random, ["gzip", "deflate", "br", "zstd", "gzip, identity", "GZIP", "x"]),
        ],
      ],
      answers: is("415 LOOP_E_BODY_COMPRESSED"),
    },
    {
      what: "a compressed body that does not say so",
      body: bomb,
      answers: is("415 LOOP_E_BODY_COMPRESSED"),
    },
    {
      what: "a plain body that says that it is compressed",
      extra: [["Content-Encoding", "gzip"]],
      answers: is("415 LOOP_E_BODY_COMPRESSED"),
    },
    {
      what: "a form",
      body: Buffer.from("payload=%7B%7D"),
      without: ["content-type"],
      extra: [["Content-Type", type]],
      answers: is("415 LOOP_E_BODY_FORM"),
    },
    {
      what: "a form that calls itself JSON",
      body: Buffer.from("payload=%7B%7D"),
      answers: is("415 LOOP_E_BODY_FORM"),
    },
    {
      what: `the type ${other}`,
      without: ["content-type"],
      extra: [["Content-Type", other]],
      answers: is("415 LOOP_E_BODY_TYPE"),
    },
    { what: "an empty body", body: Buffer.alloc(0), answers: is("400 LOOP_E_BODY_EMPTY") },
  ];
  return delivery(maker, { kind: "encoding", event, body: plain, ...pick(random, odd) });
}
