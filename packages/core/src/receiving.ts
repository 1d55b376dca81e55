// What a receiver needs of what deliveries mean, without what reads them: it must start fast.
export { isLoopback } from "./config/loopback.ts";
export {
  readSecret,
  secretFault,
  type SecretReading,
  type SecretValue,
  shortestSecret,
} from "./config/secret-value.ts";
export { replayWindowMs } from "./event/delivery.ts";
export { hostEventName, hostEventNames } from "./event/host-events.ts";
