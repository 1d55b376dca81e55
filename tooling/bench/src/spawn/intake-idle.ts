import { serveIntake } from "./intake.ts";

await serveIntake("idle");
