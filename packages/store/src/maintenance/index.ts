export { type BackedUp, backupStore } from "./backup-store.ts";
export { checkStore } from "./check-store.ts";
export type { MaintenanceDriver } from "./driver.ts";
export type { Copied } from "./copy.ts";
export type { TableDigest } from "./digest.ts";
export type { Checked, Finding, FindingKind } from "./finding.ts";
export { type Migrated, type MigrateOptions, migrateStore } from "./migrate-store.ts";
