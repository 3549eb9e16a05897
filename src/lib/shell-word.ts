/** A word that a POSIX shell reads back as it is. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9/._+:@%-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
