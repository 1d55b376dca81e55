import { serviceAnswers } from "../answers.ts";
import { between, type Header, type Input, type Maker, pick, request } from "../input.ts";

const any: readonly string[] = [...serviceAnswers];
const refs = [
  "host:practice/garden#2",
  "host:a/b#1",
  "../../etc/passwd",
  "host:practice/garden#2\nhost:a/b#1",
  "host:a/b#99999999999999999999",
  "host:a/../b#1",
  "%00",
  "__proto__",
  "host:practice/garden#-1",
  "'; drop table work_item; --",
  "x".repeat(5_000),
  "\u200b",
];
const reads = [
  "/health",
  "/instance",
  "/waiting",
  "/unowned-starts",
  "/work-items",
  "/work-items/{ref}",
  "/work-items/{ref}/sessions",
  "/work-items/{ref}/timeline",
  "/work-items/{ref}/learnings",
  "/work-items/{ref}/transcript",
  "/deliveries",
  "/deliveries/{ref}",
  "/deliveries/{ref}/why",
  "/turns",
  "/events",
  "/activity",
  "/openapi.json",
  "/nothing",
];
const writes: readonly (readonly ["POST" | "PUT" | "DELETE", string])[] = [
  ["POST", "/work-items/{ref}/control"],
  ["POST", "/work-items/{ref}/say"],
  ["POST", "/work-items/{ref}/sessions"],
  ["POST", "/work-items/{ref}/link-pr"],
  ["POST", "/work-items/{ref}/close"],
  ["PUT", "/work-items/{ref}/collaborators/@org%2Fteam"],
  ["DELETE", "/work-items/{ref}/collaborators/-x"],
  ["POST", "/turns/0/retry"],
  ["POST", "/turns/99999999/drop"],
  ["POST", "/replay"],
];
const queries = [
  "",
  "?limit=1e9",
  "?limit=-1",
  "?limit=1&limit=2",
  "?cursor=%27%20or%201%3D1",
  "?cursor=AAAA",
  "?since=9e99",
  "?kind=nothing",
  "?workItem=x",
  "?%ff=%fe",
  "?__proto__=1",
  "?token=x",
  `?q=${"x".repeat(4_000)}`,
  "?limit=5",
];
const fields = [
  "ref",
  "verb",
  "text",
  "instance",
  "harness",
  "harnessSessionId",
  "workdir",
  "pullRequest",
  "since",
  "config",
  "withUpgrade",
  "__proto__",
  "constructor",
];
const odd: readonly unknown[] = [
  null,
  -1,
  1e308,
  "",
  "explode",
  "start",
  "--upload-pack=x",
  "a: &a [*a,*a]",
  "x".repeat(70_000),
  [],
  {},
  { $gt: "" },
  ["x"],
  true,
  "\u0000",
  "\ud800",
  9_000_000_000_000_000,
];

/**
 * Requests to the control plane of somebody who has the token and means ill, or has none. Nothing
 * that would end or restart the service is asked properly.
 */
export function rest(maker: Maker): Input {
  const { random } = maker;
  if (random() < 0.35) return turnedAway(maker);
  const [method, path] =
    random() < 0.5 ? (["GET", pick(random, reads)] as const) : pick(random, writes);
  const ref = pick(random, refs);
  const address = `/api/v1${path.replace("{ref}", random() < 0.8 ? encodeURIComponent(ref) : "%ff%")}${random() < 0.5 ? pick(random, queries) : ""}`;
  const body = method === "GET" || method === "DELETE" ? null : bodyOf(random);
  return ask(maker, { method, address, body, answers: any });
}

/** By Host, Origin, token or type of body: refused whatever is asked, restarts included. */
function turnedAway(maker: Maker): Input {
  const { random, token } = maker;
  const [method, address] = pick(random, [
    ["GET", "/api/v1/work-items"],
    ["GET", "/api/v1/events/stream"],
    ["POST", "/api/v1/restart"],
    ["POST", "/api/v1/work-items/x/say"],
    ["GET", "/metrics"],
    ["POST", "/mcp"],
  ] as const);
  const body = method === "POST" ? Buffer.from("{}") : null;
  const [headers, answers] = pick(random, [
    [
      [
        [
          "Host",
          pick(random, [
            "evil.example",
            "localhost.evil",
            "127.0.0.1.evil:80",
            "127.0.0.2",
            "[::2]",
          ]),
        ],
      ],
      ["403 LOOP_E_FOREIGN_HOST"],
    ],
    [
      [
        ["Host", "localhost"],
        ["Host", "localhost"],
      ],
      ["403 LOOP_E_FOREIGN_HOST", "400 LOOP_E_HTTP"],
    ],
    [
      [
        ["Host", "localhost"],
        [
          "Origin",
          pick(random, ["https://evil.example", "null", "no origin at all", "http://localhost:1"]),
        ],
      ],
      ["403 LOOP_E_FOREIGN_PAGE"],
    ],
    [
      [
        ["Host", "localhost"],
        ["Sec-Fetch-Site", pick(random, ["cross-site", "same-site"])],
      ],
      ["403 LOOP_E_FOREIGN_PAGE"],
    ],
    [
      [
        ["Host", "localhost"],
        [
          "Authorization",
          pick(random, [
            "",
            "Bearer ",
            `Bearer ${token}x`,
            `Bearer ${token.toUpperCase()}x`,
            `Basic ${token}`,
            token,
            `bearer  ${token}`,
          ]),
        ],
      ],
      ["401 LOOP_E_TOKEN", "429 LOOP_E_TOKEN_LIMIT"],
    ],
    [
      [
        ["Host", "localhost"],
        ["Cookie", `token=${token}`],
      ],
      ["401 LOOP_E_TOKEN"],
    ],
    ...(method === "POST"
      ? ([
          [
            [
              ["Host", "localhost"],
              ["Authorization", `Bearer ${token}`],
              [
                "Content-Type",
                pick(random, [
                  "application/x-www-form-urlencoded",
                  "text/plain",
                  "multipart/form-data; boundary=x",
                ]),
              ],
            ],
            ["415 LOOP_E_BODY_TYPE"],
          ],
        ] as const)
      : []),
  ] as const);
  const named = headers.some(([name]) => name === "Authorization" || name === "Cookie")
    ? headers
    : [...headers, ["Authorization", `Bearer ${token}`] as const];
  return ask(maker, { method, address, body, answers, headers: named });
}

function bodyOf(random: () => number): Buffer {
  const pieces = [
    "",
    "null",
    "[]",
    "{",
    '"x"',
    "[".repeat(100_000),
    '{"a":'.repeat(20_000),
    "\xff\xfe",
    "{}",
    `{"text":"${"x".repeat(between(random, 1, 600_000))}"}`,
  ];
  if (random() < 0.4) return Buffer.from(pick(random, pieces), "latin1");
  const parts = Array.from(
    { length: between(random, 1, 4) },
    () => `${JSON.stringify(pick(random, fields))}:${JSON.stringify(pick(random, odd))}`,
  );
  return Buffer.from(`{${parts.join(",")}}`);
}

/**
 * Messages to /mcp: what is no message, tools that there are not, arguments off their schema, many
 * messages at once.
 */
export function mcp(maker: Maker): Input {
  const { random, token } = maker;
  const call = (name: unknown, input: unknown): unknown => ({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: input },
  });
  const messages: readonly unknown[] = [
    call(pick(random, ["show-work-item", "list-events", "show-delivery", "list-deliveries"]), {
      [pick(random, fields)]: pick(random, odd),
    }),
    call(pick(random, ["show-work-item", "list-sessions", "show-timeline"]), {
      ref: pick(random, refs),
    }),
    call(
      pick(random, ["restart", "say", "add-collaborator", "replay", "__proto__", "", null, 7]),
      {},
    ),
    call("control-work-item", {
      ref: "host:a/b#1",
      verb: pick(random, ["cleanup", "explode", "", null]),
    }),
    call("list-events", pick(random, odd)),
    Array.from({ length: between(random, 0, 10_000) }, () => ({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/list",
    })),
    { jsonrpc: "1.0", method: "tools/list" },
    {
      jsonrpc: "2.0",
      id: pick(random, odd),
      method: pick(random, [
        "tools/list",
        "initialize",
        "resources/read",
        "__proto__",
        "x".repeat(10_000),
      ]),
      params: pick(random, odd),
    },
    pick(random, odd),
  ];
  const method = random() < 0.9 ? "POST" : pick(random, ["GET", "DELETE", "PUT", "OPTIONS"]);
  const body =
    method === "POST" || method === "PUT"
      ? random() < 0.15
        ? bodyOf(random)
        : Buffer.from(JSON.stringify(pick(random, messages)) ?? "")
      : null;
  const headers: readonly Header[] = [
    ["Host", "localhost"],
    ["Authorization", `Bearer ${token}`],
    ["Accept", "application/json, text/event-stream"],
    [
      "MCP-Protocol-Version",
      pick(random, ["2025-06-18", "2025-06-18", "1999-01-01", "x".repeat(2_000)]),
    ],
    ["Mcp-Session-Id", pick(random, ["", "x", "../x"])],
  ];
  return { ...ask(maker, { method, address: "/mcp", body, answers: any, headers }), kind: "mcp" };
}

type Asked = {
  readonly method: string;
  readonly address: string;
  readonly body: Buffer | null;
  readonly answers: readonly string[];
  readonly headers?: readonly Header[];
};

function ask(
  { token }: Maker,
  {
    method,
    address,
    body,
    answers,
    headers = [
      ["Host", "localhost"],
      ["Authorization", `Bearer ${token}`],
    ],
  }: Asked,
): Input {
  const typed =
    headers.some(([name]) => name === "Content-Type") || body === null
      ? headers
      : [...headers, ["Content-Type", "application/json"] as const];
  const all = body === null ? typed : [...typed, ["Content-Length", String(body.length)] as const];
  return {
    kind: "rest",
    what: `${method} ${address}`.slice(0, 120),
    to: "service",
    bytes: request(`${method} ${address}`, all, body ?? Buffer.alloc(0)),
    answers,
    delivery: null,
    after: "go on",
  };
}
