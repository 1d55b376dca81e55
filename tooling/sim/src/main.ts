/**
 * `npm run sim -- …`: the service from seeds, or, with `--explore`, every state of a work item.
 * Exit code 0 when it could measure; the exploration judges by itself.
 */
if (process.argv.includes("--explore")) await import("./explore/main.ts");
else await import("./simulate.ts");
