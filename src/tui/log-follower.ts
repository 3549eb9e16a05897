import { LogLines } from "../fs/log-lines.ts";
import { errorMessage } from "../lib/errors.ts";

/** Turns what a reviewer printed into text for people. */
export interface Renderer {
  feed(chunk: Uint8Array): string;
}

export interface LogListener {
  signal: AbortSignal;
  /** A renderer for a log that begins. */
  renderer(): Promise<Renderer>;
  /** `isAnew`: what came before belongs to another run. */
  onText(text: string, isAnew: boolean): void;
  onProblem(problem: string): void;
}

const pollMs = 300;

/** Follows a log that may not be there yet and may begin anew, as long as its signal lets it. Never rejects. */
export async function followLog(path: string, listener: LogListener): Promise<void> {
  const { signal, onText, onProblem } = listener;
  const lines = new LogLines(path);
  let run = 0;
  let renderer: Renderer | undefined;
  try {
    while (!signal.aborted) {
      for await (const bytes of lines.next()) {
        const isAnew = renderer === undefined || run !== lines.run;
        if (isAnew) renderer = await listener.renderer();
        run = lines.run;
        const text = renderer?.feed(bytes) ?? "";
        if (text !== "" && !signal.aborted) onText(text, isAnew);
      }
      if (run === 0)
        onProblem("There is no log: the reviewer has not started, or it was removed after seven days.");
      await Bun.sleep(pollMs);
    }
  } catch (error) {
    onProblem(errorMessage(error));
  }
}
