export { checkManifest, type ManifestFinding, type SeenFile } from "./manifest/drift.ts";
export {
  baseCommit,
  baseRemote,
  type BranchFacts,
  configListing,
  consentListing,
  remotesIn,
  tracksConsent,
  usualBases,
} from "./manifest/chosen-loop.ts";
export { footprint, type FootprintEntry, manifestPath } from "./manifest/footprint.ts";
export {
  covers,
  isManifestPath,
  type Manifest,
  type ManifestFile,
  type ParsedManifest,
  readManifest,
} from "./manifest/manifest.ts";
