import { type MessagesApi, startMessagesApi } from "./messages-api.ts";

/** A program under the contract: the fixture, or the real harness. */
export type Subject = {
  readonly name: "fixture" | "real";
  /** Path of the program. */
  readonly command: string;
  /**
   * The interface of the model that its children talk to; null when the program plays the model
   * itself.
   */
  readonly api: MessagesApi | null;
  close(): Promise<void>;
};

/** The fixture: no network, and it asks for a login only because rows about logins want it to. */
export function fixtureSubject(command: string): Subject {
  return { name: "fixture", command, api: null, close: async () => undefined };
}

/** The real program, talking to a stand-in of its interface on loopback. */
export async function realSubject(command: string): Promise<Subject> {
  const api = await startMessagesApi();
  return { name: "real", command, api, close: () => api.close() };
}
