export { type Machine, machineOf } from "./machine.ts";
export { parseRecord, type Recorded, recordOf, writeRecord } from "./record.ts";
