import { lifecycleBy } from "./suite.ts";

lifecycleBy("poller");
