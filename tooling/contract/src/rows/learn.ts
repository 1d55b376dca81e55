import { holds, type Row, row, same } from "../row.ts";
import { conversations, inWorld, toldByHooks } from "../service/world.ts";

/** Learnings of a repository in whole turns of the service: what of them reaches the model. */
export const learnRows: readonly Row[] = [
  row(
    "HA-learn-01",
    "what was learned in a repository reaches the model once, when its conversation begins and to its end, however much it is, and not again when it goes on",
    (scene) =>
      inWorld(scene, async (world, service) => {
        await world.host.commit({
          branch: "main",
          message: "What was learned",
          files: { ".loop/manifest.yaml": "version: 1\n", "docs/learnings/learnings.md": index },
        });
        const number = world.startIssue("{{stub:text begun}}");
        await service.event("turn.done");
        world.host.comment(number, "{{stub:text gone on}}", "ada");
        await service.event("turn.done", 2);
        same("conversations", conversations(scene).length, 1);
        same("told, as its transcript has it", times(toldByHooks(scene).join("\n")), 1);
        const asked = scene
          .requests()
          ?.filter(({ messages }) => JSON.stringify(messages).includes(world.ref(number)));
        if (asked === undefined) return;
        holds(
          "requests of both turns",
          asked.some(({ prompts }) => prompts === 1) && asked.some(({ prompts }) => prompts === 2),
          asked.map(({ prompts }) => prompts),
        );
        for (const { messages } of asked) {
          const said = JSON.stringify(messages);
          holds(
            "told once in every request to the model",
            times(said) === 1,
            asked.map((request) => ({
              ...request,
              messages: JSON.stringify(request.messages).slice(-6_000),
            })),
          );
          holds(
            "the first lines, and where the rest is",
            lines.slice(0, 40).every((line) => said.includes(asTold(line))) &&
              /learnings\.md \(\d+ not shown here\), docs\/learnings\/topics\/process\.md \(7\)/u.test(
                said,
              ),
            said.slice(-3_000),
          );
          holds(
            "labelled as notes",
            /Project notes [0-9a-f]{12}: [^"]*no instructions of the user/u.test(said),
            said.slice(0, 2_000),
          );
        }
      }),
  ),
];

/** As large as an index may become: 180 lines. */
const lines = Array.from(
  { length: 180 },
  (_, at) =>
    `- [${String(at + 1).padStart(3, "0")}] Water bed ${at + 1} of the garden before sunrise, and never with the hose of bed ${at + 2}, which leaks at its tap`,
);
const index = [
  "# Learnings",
  "<!-- loop:learnings v1; managed block, edit text freely, keep ids -->",
  "## process",
  ...lines,
  "- more: topics/process.md (7)",
  "<!-- /loop:learnings -->",
  "",
].join("\n");

/** A line as the notes have it, its text a JSON string, within the JSON of a request. */
function asTold(line: string): string {
  const [, id, text] = /^(- \[\d+\] )(.*)$/u.exec(line) ?? [];
  return JSON.stringify(`${id}${JSON.stringify(text)}`).slice(1, -1);
}

function times(text: string): number {
  return text.split("End of project notes ").length - 1;
}
