export { checkManifest, type ManifestFinding, type SeenFile } from "./manifest/check.ts";
export { consentPaths, footprint, type FootprintEntry, manifestPath } from "./manifest/footprint.ts";
export { covers, isManifestPath, type Manifest, type ManifestFile, type ParsedManifest, readManifest } from "./manifest/manifest.ts";
