import type { BrowserContext, Page } from "playwright-core";
import type { Scene } from "./scene.ts";
import type { Story } from "./story.ts";

/**
 * What a check has at hand: the real service, what was played on it, and a page of its own that
 * nobody has opened yet.
 */
export type Stage = {
  readonly scene: Scene;
  readonly story: Story;
  readonly page: Page;
  readonly context: BrowserContext;
  /** Opens the dashboard with the token, at the part behind `#`. */ open(
    part?: string,
  ): Promise<void>;
  item(number: number): string;
};

/** A promise of the dashboard, kept in a real browser; `run` rejects with what differs. */
export type BrowserCheck = {
  readonly id: string;
  readonly title: string;
  run(stage: Stage): Promise<void>;
};

export function check(id: string, title: string, run: BrowserCheck["run"]): BrowserCheck {
  return { id, title, run };
}
