export {
  type ControlPlane,
  type ControlPlaneOptions,
  createControlPlane,
  type Endpoint,
  type EndpointParts,
  type MayWrite,
  type Middleware,
} from "./create.ts";
export type { StreamBounds } from "./http/event-stream.ts";
export type { FailedToken, FailedTokenBounds } from "./http/failed-tokens.ts";
export { createControlPlaneServer, type ServerBounds, serverBounds } from "./http/server.ts";
export { createMetrics, type Metrics } from "./metrics.ts";
export type {
  ControlPlanePorts,
  Health,
  Records,
  Replay,
  ScheduledRestart,
  Sent,
  SessionName,
  Steering,
  Why,
} from "./ports.ts";
