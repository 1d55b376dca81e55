/** Whether a path is a folder or lies in it. */
export function isWithin(file: string, folder: string): boolean {
  return file === folder || folder === "/" || file.startsWith(`${folder}/`);
}
