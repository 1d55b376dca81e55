import { join } from "node:path";
import { LoopError } from "@loopwork/core/errors";
import { type Call, flag, textOption } from "../commands/command.ts";
import type { Ports } from "../start/ports.ts";
import { remoteOf } from "./checkout.ts";

/** `host` is null for the default code host; `publicUrl` for a machine that the host cannot reach, or whose address comes later. */
export type InitAnswers = { readonly repository: string; readonly host: string | null; readonly user: string; readonly ingress: "poller" | "webhook"; readonly publicUrl: string | null; readonly workspace: string };

/** What `loop init` must know: from options, else asked on a terminal, else from the checkout; what cannot be known is an error (decisions.md 2). */
export async function answersFrom(call: Call, ports: Ports): Promise<InitAnswers> {
  const remote = remoteOf(ports.io.cwd);
  const ask = !flag(call, "yes") && ports.io.interactive;
  const known = async (option: string, question: string, proposal: string | null): Promise<string | null> => textOption(call, option) ?? (ask ? asked(ports, question, proposal) : proposal);
  const repository = await known("repository", "Which repository, as owner/name?", remote?.repository ?? null);
  if (repository === null || !/^[A-Za-z0-9_.-]{1,100}\/[A-Za-z0-9_.-]{1,100}$/.test(repository)) throw new LoopError("LOOP_E_INIT_REPOSITORY", "the repository is not known", "add --repository owner/name, or run this in its checkout");
  const user = (await known("user", "Which login may steer?", textOption(call, "user") === undefined ? await loginOfToken(ports) : null))?.replace(/^@/, "") ?? null;
  if (user === null || !/^[A-Za-z0-9-]{1,39}$/.test(user)) throw new LoopError("LOOP_E_INIT_USER", "who may steer is not known", "add --user <your login on the code host>");
  const publicUrl = await known("publicUrl", "Public URL of this machine for webhooks? (empty: none, loop asks the host every minute)", null);
  const workspace = (await known("workspace", "Folder of the checkouts?", defaultWorkspace(ports))) ?? defaultWorkspace(ports);
  return { repository, host: hostOf(repository, remote), user, ingress: publicUrl !== null || flag(call, "webhook") ? "webhook" : "poller", publicUrl: publicUrl === null ? null : webhookUrl(publicUrl), workspace };
}

/** The address that the host posts to, with the receiver's path where only a host was given. */
function webhookUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw new LoopError("LOOP_E_INIT_URL", `${JSON.stringify(text.slice(0, 200))} is no public URL`, "write it as https://loop.example.org");
  return url.pathname === "/" ? new URL("/host-webhook", url).href : url.href;
}

/** A checkout of that very repository says on which host it lies. */
function hostOf(repository: string, remote: ReturnType<typeof remoteOf>): string | null {
  return remote !== null && remote.repository === repository && remote.host !== "github.com" ? remote.host : null;
}

async function asked(ports: Ports, question: string, proposal: string | null): Promise<string | null> {
  const answer = await ports.io.ask(`${question}${proposal === null ? "" : ` [${proposal}]`} `);
  return answer === "" ? proposal : answer;
}

function defaultWorkspace(ports: Ports): string {
  return join(ports.io.home, ".loop", "workspaces");
}

/** A configuration that is there says how to reach the host; without a usable one the default host is asked. */
async function loginOfToken(ports: Ports): Promise<string | null> {
  const file = await ports.config().then((loaded) => loaded.file, () => null);
  const { host } = await ports.hostOf(file);
  return host.login().catch(() => null);
}
