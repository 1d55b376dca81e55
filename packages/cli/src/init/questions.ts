import { join } from "node:path";
import { isLogin, isOwnerName, isRepositoryName, LoopError } from "@loopwork/core/ports";
import { type Call, flag, textOption } from "../io/call.ts";
import type { Ports } from "../ports/command-ports.ts";
import { parseRemote, type Remote, remoteOf } from "../git/remote-of-checkout.ts";
import type { TellAddress } from "./token-address.ts";
import type { KnownHost } from "./write-setup.ts";

/**
 * `host` is the one that a person named, null for the one that is configured or the default;
 * `publicUrl` for a machine that the host cannot reach, or whose address comes later.
 */
export type InitAnswers = {
  readonly repository: string;
  readonly host: string | null;
  readonly user: string;
  readonly ingress: "poller" | "webhook";
  readonly publicUrl: string | null;
  readonly workspace: string;
};

/**
 * What `loop init` must know: from options, else asked on a terminal until the answer will do, else
 * from the checkout; what cannot be known is an error.
 */
export async function answersFrom(
  call: Call,
  ports: Ports,
  configured: KnownHost,
  tellAddress: TellAddress,
): Promise<InitAnswers> {
  const remote = remoteOf(ports.io.cwd);
  const isAsked = !flag(call, "yes") && ports.io.interactive;
  const known = <T>(
    option: string,
    question: string,
    proposal: string | null,
    read: (text: string | null) => T,
  ): T | Promise<T> => {
    const given = textOption(call, option);
    return given === undefined && isAsked
      ? asked(ports, question, proposal, read)
      : read(given ?? proposal);
  };
  const { host, repository } = await known(
    "repository",
    "Which repository (owner/name)?",
    remote === null ? null : isAsked ? withHost(remote) : remote.repository,
    (text) => readRepository(text, configured.host === undefined ? remote : null),
  );
  const user = await known(
    "user",
    "Which login can give commands?",
    textOption(call, "user") === undefined ? await loginOfToken(ports, tellAddress) : null,
    readUser,
  );
  const publicUrl = await known(
    "publicUrl",
    "Public URL for webhooks? (leave empty to poll the code host every minute)",
    null,
    (text) => (text === null ? null : webhookUrl(text)),
  );
  const workspace = await known(
    "workspace",
    "Directory for checkouts?",
    defaultWorkspace(ports),
    (text) => text ?? defaultWorkspace(ports),
  );
  return {
    repository,
    host,
    user,
    ingress: publicUrl !== null || flag(call, "webhook") ? "webhook" : "poller",
    publicUrl,
    workspace,
  };
}

/**
 * As it is proposed: who accepts a proposal that names another host than the default has seen that
 * the token goes there.
 */
function withHost({ web, repository }: Remote): string {
  return web === null || web === "github.com" ? repository : `${web}/${repository}`;
}

/**
 * `owner/name`, or an address of the repository, which says on which host it lies. A folder that
 * was unpacked brings its own remote along, so that its author would choose who gets the token:
 * another host than the default must be typed.
 */
function readRepository(
  text: string | null,
  remote: Remote | null,
): { readonly host: string | null; readonly repository: string } {
  if (text === null)
    throw new LoopError(
      "LOOP_E_INIT_REPOSITORY",
      "No repository given",
      "Add --repository owner/name, or run this in its checkout",
    );
  if (isRepository(text)) {
    const proposed = remote?.repository === text ? withHost(remote) : text;
    if (proposed !== text)
      throw new LoopError(
        "LOOP_E_INIT_REPOSITORY",
        `Only this directory's git remote says that ${text} is on ${remote?.web}`,
        `Add --repository ${proposed} if that is your code host, or --repository github.com/${text}`,
      );
    return { host: null, repository: text };
  }
  const typed = parseRemote(text);
  if (typed === null || !isRepository(typed.repository))
    throw new LoopError(
      "LOOP_E_INIT_REPOSITORY",
      `Invalid repository ${quoted(text)}`,
      "Write it as owner/name, or as its URL",
    );
  return { host: typed.web, repository: typed.repository };
}

function isRepository(text: string): boolean {
  const [owner = "", name = "", ...more] = text.split("/");
  return more.length === 0 && isOwnerName(owner) && isRepositoryName(name);
}

function readUser(text: string | null): string {
  if (text === null)
    throw new LoopError(
      "LOOP_E_INIT_USER",
      "No user given",
      "Add --user <your login on the code host>",
    );
  const login = text.replace(/^@/, "");
  if (!isLogin(login))
    throw new LoopError(
      "LOOP_E_INIT_USER",
      `Invalid login ${quoted(text)}`,
      "Use one login of the code host, as in the URL of its profile",
    );
  return login;
}

/** The address that the host posts to, with the receiver's path where only a host was given. */
function webhookUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new LoopError(
      "LOOP_E_INIT_URL",
      `Invalid public URL ${quoted(text)}`,
      "Write it like https://loop.example.org",
    );
  return url.pathname === "/" ? new URL("/host-webhook", url).href : url.href;
}

async function asked<T>(
  ports: Ports,
  question: string,
  proposal: string | null,
  read: (text: string | null) => T,
): Promise<T> {
  for (;;) {
    const answer = await ports.io.ask(`${question}${proposal === null ? "" : ` [${proposal}]`} `);
    try {
      return read(answer === "" ? proposal : answer);
    } catch (error) {
      if (!(error instanceof LoopError)) throw error;
      ports.io.err(`${error.message}. ${error.hint}.\n`);
    }
  }
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}

function defaultWorkspace(ports: Ports): string {
  return join(ports.io.home, ".loop", "workspaces");
}

/**
 * A configuration that is there says how to reach the host; without a usable one the default host
 * is asked.
 */
async function loginOfToken(ports: Ports, tellAddress: TellAddress): Promise<string | null> {
  const { loaded, host } = await ports.hostOf(await ports.config().catch(() => null));
  await tellAddress(loaded);
  return host.ownAccount().then(
    (account) => account?.login ?? null,
    () => null,
  );
}
