import { serveIntake } from "./intake.ts";

await serveIntake("direct");
