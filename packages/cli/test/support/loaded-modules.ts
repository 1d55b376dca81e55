import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";

/**
 * A preload (`--import`): writes the address of every module that a process loads into the file of
 * `LOADED_MODULES`.
 */
registerHooks({
  load(url, context, next) {
    appendFileSync(process.env["LOADED_MODULES"] ?? "/dev/null", `${url}\n`);
    return next(url, context);
  },
});
