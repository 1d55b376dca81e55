export { openScene, type Scene } from "./scene.ts";
export { playStory, type Story } from "./story.ts";
