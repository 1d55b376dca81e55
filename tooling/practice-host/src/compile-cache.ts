/**
 * For the environment of a Node program that is started with nothing of ours: where what was
 * compiled once lies, so that a hundred starts from the sources do not compile them a hundred
 * times. Empty where whoever runs the tests has named no such folder.
 */
export function compileCache(): { readonly NODE_COMPILE_CACHE?: string } {
  const folder = process.env["NODE_COMPILE_CACHE"];
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}
