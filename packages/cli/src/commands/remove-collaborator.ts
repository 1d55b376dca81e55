import { CollaboratorCommand } from "./collaborator-command.ts";

/** `loop remove-collaborator`. */
export default class RemoveCollaboratorCommand extends CollaboratorCommand {
  protected override readonly verb = "remove-collaborator";
}
