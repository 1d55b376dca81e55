export { installAndUse, type Installed } from "./install.ts";
export { judge } from "./judge.ts";
export { packAll } from "./pack.ts";
export { readManifests, type Manifest } from "./workspace.ts";
