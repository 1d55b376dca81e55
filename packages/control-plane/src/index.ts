export { createHealthRouter, type Health, type HealthOptions } from "./health.ts";
