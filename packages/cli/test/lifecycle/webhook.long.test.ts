import { lifecycleBy } from "./suite.ts";

lifecycleBy("webhook");
