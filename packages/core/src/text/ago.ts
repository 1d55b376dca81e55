/** `3 min ago`, `in 2 h`, from two times in milliseconds since 1970. */
export function ago(time: number, now: number): string {
  const seconds = Math.round(Math.abs(now - time) / 1000);
  const amount =
    seconds < 90
      ? `${seconds} s`
      : seconds < 5400
        ? `${Math.round(seconds / 60)} min`
        : seconds < 129_600
          ? `${Math.round(seconds / 3600)} h`
          : `${Math.round(seconds / 86_400)} d`;
  return time > now ? `in ${amount}` : `${amount} ago`;
}
