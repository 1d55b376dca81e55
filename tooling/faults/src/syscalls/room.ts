/** Where one service lives: a state root of its own, and where it answers. */
export type Room = {
  readonly folder: string;
  readonly database: string;
  readonly url: string;
  readonly healthUrl: string;
  readonly env: Readonly<Record<string, string>>;
  readonly log: string;
};
