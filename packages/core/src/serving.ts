// What the HTTP servers of the packages have in common, without a server.
export {
  type Answering,
  type Connection,
  type ConnectionRoom,
  createConnectionRoom,
} from "./serving/connection-room.ts";
