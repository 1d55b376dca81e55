/** A connection to a server of ours. */
export type Connection = { readonly bytesRead: number; destroy(): void };
/** An answer that is being made or is on its way. */
export type Answering = { readonly writableEnded: boolean };

/** Who is connected to a server; the server tells it what happens. */
export type ConnectionRoom = {
  /** Closes another connection, or this one, when there is no room for it. */
  opened(connection: Connection): void;
  closed(connection: Connection): void;
  /** The headers of a request have come. */
  asked(connection: Connection, answer: Answering): void;
  /** The whole answer is out, or will never be. */
  answered(connection: Connection, answer: Answering): void;
};

type Standing = {
  readonly answers: Set<Answering>;
  /** Bytes that had come when the last request was over; more belong to the next one. */
  bytesBefore: number;
};

/**
 * Keeps a server at `most` connections. For a new one the connection goes that has been idle
 * longest, one that never sent anything included; else the oldest whose headers are incomplete;
 * else the oldest that does not read its answer. One in the middle of a request never goes: where
 * all are, the new one is closed.
 */
export function createConnectionRoom(most: number): ConnectionRoom {
  // In the order in which they fell idle, or were opened.
  const standings = new Map<Connection, Standing>();

  return {
    opened(connection) {
      if (standings.size >= most) {
        const leaving = leastMissed(standings);
        if (leaving === null) return connection.destroy();
        standings.delete(leaving);
        leaving.destroy();
      }
      standings.set(connection, { answers: new Set(), bytesBefore: 0 });
    },
    closed: (connection) => void standings.delete(connection),
    asked: (connection, answer) => void standings.get(connection)?.answers.add(answer),
    answered(connection, answer) {
      const standing = standings.get(connection);
      if (standing === undefined) return;
      standing.answers.delete(answer);
      if (standing.answers.size > 0) return;
      standing.bytesBefore = connection.bytesRead;
      standings.delete(connection);
      standings.set(connection, standing);
    },
  };
}

function leastMissed(standings: ReadonlyMap<Connection, Standing>): Connection | null {
  let [beginning, unread]: [Connection | null, Connection | null] = [null, null];
  for (const [connection, { answers, bytesBefore }] of standings) {
    if (answers.size > 0) {
      if ([...answers].every(({ writableEnded }) => writableEnded)) unread ??= connection;
    } else if (connection.bytesRead === bytesBefore) return connection;
    else beginning ??= connection;
  }
  return beginning ?? unread;
}
