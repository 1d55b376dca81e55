import type { MaintenanceDriver } from "@loopwork/store/driver";
import { placeOf } from "../url.ts";
import { checkServer } from "./check-server.ts";
import { namePlace } from "./session.ts";
import { openPostgresSource } from "./source.ts";
import { openPostgresTarget } from "./target.ts";

/** What `@loopwork/store/maintenance` takes to move, copy and check a PostgreSQL store. */
export const postgresMaintenance: MaintenanceDriver = {
  placeOf: (url) => namePlace(placeOf(url)),
  openSource: openPostgresSource,
  openTarget: openPostgresTarget,
  checkServer,
};
