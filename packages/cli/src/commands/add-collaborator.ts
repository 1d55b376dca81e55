import { CollaboratorCommand } from "./collaborator-command.ts";

/** `loop add-collaborator`. */
export default class AddCollaboratorCommand extends CollaboratorCommand {
  protected override readonly verb = "add-collaborator";
}
