/** Whether an interface is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  const bare = host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
  return (
    bare.toLowerCase() === "localhost" || bare === "::1" || /^127(?:\.[0-9]{1,3}){3}$/.test(bare)
  );
}
