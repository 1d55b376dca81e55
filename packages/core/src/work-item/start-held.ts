/** What keeps a start from its text: kept until somebody asks for something else. */
export type StartHeld = {
  readonly what: "title" | "description" | "comment";
  readonly by: string | null;
  readonly at: string;
  readonly requestedBy: string | null;
};
