import { defineConfig } from "vite";

/**
 * The page in three files with names of their own content, reached by relative addresses: it works
 * under any prefix.
 */
export default defineConfig({
  base: "./",
  build: {
    outDir: "../../dist/ui",
    emptyOutDir: true,
    target: ["chrome123", "firefox121", "safari17.5"],
    assetsInlineLimit: 0, // The content security policy lets nothing in that stands inside of the page.
    modulePreload: false,
    license: { fileName: "licenses.md" },
  },
});
