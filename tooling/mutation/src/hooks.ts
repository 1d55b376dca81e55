import { registerHooks } from "node:module";

/** Test files are pointed at our registry instead of vitest, and at our edge of fast-check, which alone gets the real one. */
const ours: Readonly<Record<string, string>> = { vitest: new URL("registry.ts", import.meta.url).href, "fast-check": new URL("fast-check.ts", import.meta.url).href };

registerHooks({
  resolve(specifier, context, next) {
    const replaced = context.parentURL === ours["fast-check"] ? undefined : ours[specifier];
    return next(replaced ?? specifier, context);
  },
});
