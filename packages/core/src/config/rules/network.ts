import { isLoopback } from "../loopback.ts";
import type { Finding, Rule } from "../rules.ts";

/** Rules about what can be reached from where, and by whom. */
export const networkRules: readonly Rule[] = [
  signedOrLoopback,
  rotation,
  exposedService,
  ports,
  receiverPath,
  events,
  plainHttp,
];

/** Without a secret only this machine may reach the receiver, unless somebody insists. */
function signedOrLoopback(...[config, facts]: Parameters<Rule>): readonly Finding[] {
  const { host, secretEnv, allowUnsigned, publicUrl } = config.webhooks.hostWebhook;
  if (!facts.daemons.receiver || facts.variables.has(secretEnv)) return [];
  const path = "webhooks.hostWebhook.secretEnv";
  const hint = `export the webhook's secret as ${secretEnv}`;
  if (publicUrl !== null)
    return [
      {
        level: "error",
        path,
        message: `${secretEnv} is not set, and a webhook at ${publicUrl} leads here: anyone on the internet could post events`,
        hint: `set ${secretEnv} to the secret of that webhook, or remove webhooks.hostWebhook.publicUrl once no tunnel or proxy leads here`,
      },
    ];
  if (isLoopback(host))
    return [
      {
        level: "warning",
        path,
        message: `the variable ${secretEnv} is not set: anybody on this machine can post events, and they count as unverified`,
        hint,
      },
    ];
  if (allowUnsigned)
    return [
      {
        level: "warning",
        path,
        message: `the variable ${secretEnv} is not set and the receiver binds to ${host}: anybody who reaches it can post events`,
        hint,
      },
    ];
  return [
    {
      level: "error",
      path,
      message: `the variable ${secretEnv} is not set and the receiver would bind to ${host}`,
      hint: `${hint}, or bind to 127.0.0.1; webhooks.hostWebhook.allowUnsigned: true insists`,
    },
  ];
}

function rotation(...[config, facts]: Parameters<Rule>): readonly Finding[] {
  const { secretEnv, previousSecretEnv } = config.webhooks.hostWebhook;
  const path = "webhooks.hostWebhook.previousSecretEnv";
  if (previousSecretEnv === null || !facts.daemons.receiver) return [];
  if (previousSecretEnv === secretEnv)
    return [
      {
        level: "error",
        path,
        message: "names the same variable as secretEnv",
        hint: "name the variable of the secret before, or remove the key",
      },
    ];
  if (facts.variables.has(previousSecretEnv)) return [];
  return [
    {
      level: "warning",
      path,
      message: `the variable ${previousSecretEnv} is not set`,
      hint: "export the secret before, or remove the key once the rotation is over",
    },
  ];
}

/** The control plane leaves the machine only when somebody says so, under known names. */
function exposedService(...[config, facts]: Parameters<Rule>): readonly Finding[] {
  const { host, exposed, allowedHosts } = config.service;
  if (!facts.daemons.service || isLoopback(host)) return [];
  if (!exposed)
    return [
      {
        level: "error",
        path: "service.host",
        message: `the control plane would bind to ${host}`,
        hint: "bind to 127.0.0.1, or set service.exposed: true and service.allowedHosts",
      },
    ];
  if (allowedHosts.length === 0)
    return [
      {
        level: "error",
        path: "service.allowedHosts",
        message: "an exposed control plane needs the names under which it is addressed",
        hint: "list them, such as [loop.example.org]",
      },
    ];
  return [];
}

function ports(...[config, facts]: Parameters<Rule>): readonly Finding[] {
  const { service, webhooks } = config;
  if (
    !facts.daemons.service ||
    !facts.daemons.receiver ||
    service.port !== webhooks.hostWebhook.port
  )
    return [];
  return [
    {
      level: "error",
      path: "webhooks.hostWebhook.port",
      message: `service.port is ${service.port} too`,
      hint: "choose two ports; the defaults are 4114 and 8787",
    },
  ];
}

/** `/health` answers readiness probes and `/` would shadow it. */
function receiverPath(config: Parameters<Rule>[0]): readonly Finding[] {
  const { path } = config.webhooks.hostWebhook;
  if (path !== "/health" && !path.includes("//") && !path.split("/").includes("..")) return [];
  return [
    {
      level: "error",
      path: "webhooks.hostWebhook.path",
      message: "cannot take deliveries there",
      hint: "choose another path, such as /host-webhook; /health answers probes",
    },
  ];
}

/** Without these two, closed and merged items never end their sessions. */
function events(config: Parameters<Rule>[0]): readonly Finding[] {
  const listed = config.webhooks.hostWebhook.events;
  const missing = (["issues", "pull_request"] as const).filter((name) => !listed.includes(name));
  if (missing.length === 0) return [];
  return [
    {
      level: "warning",
      path: "webhooks.hostWebhook.events",
      message: `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} missing: closed or merged items will not end their sessions`,
      hint: "add what is missing, or remove the key for all nine events",
    },
  ];
}

/**
 * Over plain HTTP everybody on the way reads what is sent: the host's token, and the address of a
 * notification, which often is its own password.
 */
function plainHttp({
  integrations: { codeHost },
  notify,
}: Parameters<Rule>[0]): readonly Finding[] {
  const host = insecure(
    codeHost.apiBaseUrl,
    codeHost.allowInsecureHttp,
    "integrations.codeHost",
    "apiBaseUrl",
    `the token in ${codeHost.tokenEnv}`,
  );
  return [
    ...host,
    ...notify.flatMap(({ url, allowInsecureHttp }, at) =>
      insecure(url, allowInsecureHttp, `notify[${at}]`, "url", "the address and what is told"),
    ),
  ];
}

function insecure(
  url: string | null,
  allowed: boolean,
  path: string,
  key: string,
  what: string,
): readonly Finding[] {
  const host = /^http:\/\/(\[[^\]]{0,60}\]|[^/:]{1,260})/.exec(url ?? "")?.[1];
  if (host === undefined || isLoopback(host)) return [];
  const message = `sends ${what} to ${host} over plain HTTP`;
  if (allowed)
    return [
      {
        level: "warning",
        path: `${path}.${key}`,
        message: `${message}, where others can read it`,
        hint: "use https once the host has it",
      },
    ];
  return [
    {
      level: "error",
      path: `${path}.${key}`,
      message,
      hint: `use https; ${path}.allowInsecureHttp: true allows it on a network where nobody listens`,
    },
  ];
}
