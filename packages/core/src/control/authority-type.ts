/**
 * What the actor of an event may do here: steer, only speak, or nothing. `none` is for events
 * without an actor (CI).
 */
export type Authority = "authorized" | "collaborator" | "stranger" | "none";
