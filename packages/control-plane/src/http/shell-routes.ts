import type { ServerResponse } from "node:http";
import type { Router } from "express";
import { shellPage, shellPolicy, shellScript, shellStyle } from "../ui/shell.ts";

/** The dashboard's shell and what it loads; without the token, because there is no data in it. */
export function addShell(router: Router): void {
  router.get("/", (_request, response) => send(response, "text/html", shellPage));
  router.get("/assets/shell.js", (_request, response) => send(response, "text/javascript", shellScript));
  router.get("/assets/shell.css", (_request, response) => send(response, "text/css", shellStyle));
}

function send(response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, { "content-type": `${type}; charset=utf-8`, "content-security-policy": shellPolicy, "referrer-policy": "no-referrer" }).end(text);
}
