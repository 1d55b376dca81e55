import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { loadConfig } from "../../src/configuration/load-config.ts";
import { createScene, type Scene } from "./scene.ts";

export type FoundConfig = {
  readonly scene: Scene;
  readonly file: string;
  write(text: string): void;
};

/** A configuration that lies in the working directory, as after a `git clone`. */
export function foundConfig(text: string, place = ".loop/cli-config.yaml"): FoundConfig {
  const scene = createScene();
  scene.terminal(() => "yes");
  delete scene.env["LOOP_CONFIG"];
  const file = join(scene.cwd, place);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return { scene, file, write: (changed) => writeFileSync(file, changed) };
}

/** The name of the instance that the configuration in force gives. */
export function nameOf(scene: Scene): string {
  return loadConfig(null, scene).config.instance.name;
}
