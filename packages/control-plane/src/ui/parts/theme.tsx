import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";

const themes = ["auto", "light", "dark"] as const;
type Theme = (typeof themes)[number];
const key = "loop-theme";

/** Follows the system unless somebody chose; the choice is kept in this browser. */
export function ThemeSwitch(): VNode {
  const [theme, setTheme] = useState<Theme>(
    themes.find((each) => each === localStorage.getItem(key)) ?? "auto",
  );
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
    localStorage.setItem(key, theme);
  }, [theme]);
  return (
    <label class="theme">
      <span class="quiet">Colours</span>
      <select
        value={theme}
        onChange={(event) =>
          setTheme(themes.find((each) => each === event.currentTarget.value) ?? "auto")
        }
      >
        {themes.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}
