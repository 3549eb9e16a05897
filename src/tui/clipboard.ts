/**
 * The escape that has a terminal put a text on the clipboard of the machine it is shown on, over SSH too (OSC 52).
 * What a terminal takes is limited; beyond that nothing would be copied, so there is a limit here.
 */
export function clipboardEscape(text: string): string | undefined {
  const encoded = Buffer.from(text).toString("base64");
  return encoded.length > 100_000 ? undefined : `\x1b]52;c;${encoded}\x07`;
}
