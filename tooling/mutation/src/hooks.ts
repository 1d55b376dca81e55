import { registerHooks } from "node:module";

/**
 * Test files are pointed at our registry instead of vitest, and at our edge of fast-check, which
 * alone gets the real one.
 */
const ours: Readonly<Record<string, string>> = {
  vitest: new URL("registry.ts", import.meta.url).href,
  "fast-check": new URL("fast-check.ts", import.meta.url).href,
};

/**
 * What stands behind the address of a test file says which loading of it this is; files beside it
 * are loaded anew with it.
 */
const loading = /\?loading=\d+$/;

registerHooks({
  resolve(specifier, context, next) {
    const replaced = context.parentURL === ours["fast-check"] ? undefined : ours[specifier];
    const resolved = next(replaced ?? specifier, context);
    const again = loading.exec(context.parentURL ?? "")?.[0];
    return again === undefined || !isOfTests(resolved.url)
      ? resolved
      : { ...resolved, url: `${resolved.url}${again}` };
  },
});

function isOfTests(url: string): boolean {
  return (
    url.startsWith("file:") &&
    url.includes("/test/") &&
    !url.includes("/node_modules/") &&
    !loading.test(url)
  );
}
