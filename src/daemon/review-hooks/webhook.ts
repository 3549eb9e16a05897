import { errorCode } from "../../lib/errors.ts";
import { truncateUtf8 } from "../../lib/text.ts";
import { version } from "../../lib/version.ts";

const maxAnswerBytes = 1024;

/**
 * Posts a JSON document. What went wrong, in words without the address, or undefined. Redirections are not followed:
 * the event would reach somebody whom the user did not name.
 */
export async function postWebhook(
  url: string,
  json: string,
  options: { timeoutMs: number; signal: AbortSignal },
): Promise<string | undefined> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  try {
    const response = await fetch(url, {
      method: "POST",
      body: json,
      headers: { "content-type": "application/json", "user-agent": `roborev/${version}` },
      redirect: "manual",
      signal: AbortSignal.any([options.signal, timeout]),
    });
    if (response.ok) {
      await response.body?.cancel();
      return undefined;
    }
    const answer = withoutAddress(await start(response), url);
    return `answered ${response.status}${answer === "" ? "" : `: ${answer}`}`;
  } catch (error) {
    if (options.signal.aborted) return "was cut off: the daemon is stopping";
    if (timeout.aborted) return `did not answer within ${options.timeoutMs / 1000} s`;
    return `could not be reached (${errorCode(error) ?? "no connection"})`;
  }
}

async function start(response: Response): Promise<string> {
  let bytes = new Uint8Array(0);
  for await (const chunk of response.body ?? []) {
    bytes = new Uint8Array(Buffer.concat([bytes, chunk]));
    if (bytes.length >= maxAnswerBytes) break;
  }
  return truncateUtf8(new TextDecoder().decode(bytes), maxAnswerBytes).trim();
}

/** An answer may repeat the path, which often is the password. */
function withoutAddress(text: string, url: string): string {
  const { pathname, search } = new URL(url);
  return [`${pathname}${search}`, pathname, search.slice(1)]
    .filter((part) => part.length > 1)
    .reduce((kept, part) => kept.replaceAll(part, "..."), text);
}
