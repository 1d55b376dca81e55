/**
 * Where the host answers: pages under `url`, the interface under `apiUrl`. Neither ends with a
 * slash.
 */
export type Origin = { readonly url: string; readonly apiUrl: string };
