import { openScene } from "./scene.ts";
import { playStory } from "./story.ts";

/** `node …/look.ts`: the scene stays up until it is interrupted, to look at by hand. */
const scene = await openScene();
process.on("SIGTERM", () => void scene.close());
process.on("SIGINT", () => void scene.close());
process.stdout.write(`${scene.url}#token=${scene.token}\n`);
process.stdout.write(`${JSON.stringify(await playStory(scene))}\n`);
