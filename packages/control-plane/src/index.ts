export { type ControlPlane, type ControlPlaneOptions, createControlPlane, type Endpoint, type EndpointParts } from "./create.ts";
export type { ControlPlanePorts, Health, Records, Replay, ScheduledRestart, Sent, SessionName, Steering, Why } from "./ports.ts";
