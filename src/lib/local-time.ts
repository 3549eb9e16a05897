const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `Jan 02 15:04` where the user is; the text itself, if it is no time. */
export function localTime(timestamp: string): string {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return timestamp;
  const two = (value: number) => String(value).padStart(2, "0");
  return `${months[date.getMonth()]} ${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** `Jan 02 15:04 MST`: for times to come, which the clocks of a year may place in another offset. */
export function localTimeWithZone(timestamp: string): string {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return timestamp;
  const parts = new Intl.DateTimeFormat("en-US", { timeZoneName: "short" }).formatToParts(date);
  return `${localTime(timestamp)} ${parts.find((part) => part.type === "timeZoneName")?.value ?? ""}`.trimEnd();
}
