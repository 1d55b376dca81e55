import { isAccountLogin } from "../accounts/account.ts";
import { isDomain, isOwnerName, isRepositoryName, parseRef, refGrammar } from "../ref/ref.ts";
import type { FormName } from "./schema/node.ts";
import { looksLikeSecret } from "./secret.ts";

/**
 * Why a string does not fit its form, and what would; null when it fits. `secret`: the value must
 * not be shown.
 */
export type FormFault = { readonly message: string; readonly hint: string; readonly secret?: true };

/** Checks a string against its form. Every expression is anchored and bounded. */
export function checkForm(form: FormName, text: string): FormFault | null {
  if (text.includes("\0")) return { message: "contains a NUL character", hint: "remove it" };
  return forms[form](text);
}

const instanceName = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/;
const bindHost =
  /^(?:[A-Za-z0-9][A-Za-z0-9.-]{0,252}|[0-9A-Fa-f:.]{2,45}|\[[0-9A-Fa-f:.]{2,45}\])$/;
const urlPath = /^\/[A-Za-z0-9._~/-]{0,200}$/;
const webUrl = /^https?:\/\/[A-Za-z0-9.:[\]-]{1,260}(?:\/[^\s]{0,1000})?$/;
const keyword = /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}(?: [A-Za-z0-9][A-Za-z0-9_-]{0,31}){0,3}$/;
const tool = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/;
const control = /[\u0000-\u001f\u007f-\u009f]/;

const forms: Readonly<Record<FormName, (text: string) => FormFault | null>> = {
  text: (t) =>
    t === "" || t.length > 200 || control.test(t)
      ? { message: "must be one line of 1 to 200 characters", hint: "write a short name" }
      : null,
  template: (t) =>
    t.trim() === "" || t.length > 65536
      ? {
          message: "must be a text of at most 65,536 characters",
          hint: "remove the key for the built-in one",
        }
      : null,
  path: (t) =>
    t.length > 4096 || control.test(t)
      ? {
          message: "is not a path",
          hint: "write a path relative to the configuration's folder, an absolute one, or one that begins with ~/",
        }
      : null,
  argument: (t) =>
    t.length > 131072
      ? {
          message: "is longer than an argument can be",
          hint: "arguments have at most 131,072 characters",
        }
      : null,
  variable: checkVariable,
  "instance-name": (t) =>
    instanceName.test(t)
      ? null
      : {
          message: "is not an instance name",
          hint: "1 to 40 lower-case letters, digits and inner hyphens, such as build-1",
        },
  login: (t) =>
    isAccountLogin(t)
      ? null
      : {
          message: "is not a login",
          hint: t.startsWith("@")
            ? "write it without @"
            : "write the login as the code host shows it; a bot with its exact name, such as ci-helper[bot]",
        },
  repository: (t) =>
    isRepository(t) ? null : { message: "is not a repository", hint: "write owner/name" },
  domain: (t) =>
    isDomain(t.toLowerCase())
      ? null
      : {
          message: "is not a domain",
          hint: "write the domain alone, without https:// and without a path",
        },
  "bind-host": (t) =>
    bindHost.test(t)
      ? null
      : {
          message: "is not an interface or IP",
          hint: "127.0.0.1 is reachable from this machine only",
        },
  "url-path": (t) =>
    urlPath.test(t)
      ? null
      : {
          message: "is not a path of a URL",
          hint: "begin with / and use letters, digits and . _ ~ / -",
        },
  "web-url": (t) =>
    webUrl.test(t)
      ? null
      : {
          message: "is not an http or https URL without a login inside",
          hint: "such as https://host.example/api/v3",
          secret: true,
        },
  "store-url": checkStoreUrl,
  ref: (t) =>
    parseRef(t) === null ? { message: "is not a ref", hint: `write ${refGrammar}` } : null,
  label: (t) =>
    t.trim() === "" || t.length > 100 || control.test(t)
      ? { message: "is not a label", hint: "labels have 1 to 100 characters" }
      : null,
  keyword: (t) =>
    t === "" || keyword.test(t)
      ? null
      : {
          message: "cannot be a keyword",
          hint: 'one to four words of letters, digits, - and _ with one blank between, or "" to disable it',
        },
  tool: (t) =>
    tool.test(t)
      ? null
      : {
          message: "is not the name of a program",
          hint: "write the name alone, without arguments, such as make",
        },
};

function isRepository(text: string): boolean {
  const [owner = "", name = "", ...more] = text.split("/");
  return more.length === 0 && isOwnerName(owner) && isRepositoryName(name);
}

function checkVariable(text: string): FormFault | null {
  if (!looksLikeSecret(text)) return null;
  return {
    message:
      "must be the NAME of an environment variable; what stands there looks like a secret and is not shown",
    hint: "export the secret as a variable such as LOOP_HOST_TOKEN and write that name; replace the secret, it was in a file",
    secret: true,
  };
}

function checkStoreUrl(text: string): FormFault | null {
  if (text.startsWith("postgres:") || text.startsWith("postgresql:"))
    return {
      message: "must not hold a PostgreSQL URL, which contains a password",
      hint: "put the URL into a variable and name that in store.urlEnv",
      secret: true,
    };
  return text.startsWith("sqlite:") && text.length > 7 && text.length < 4096 && !control.test(text)
    ? null
    : { message: "is not a store URL", hint: "write sqlite:<path>, or remove the key" };
}
