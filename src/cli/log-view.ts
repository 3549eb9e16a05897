import type { LogLines } from "../fs/log-lines.ts";
import type { StreamRenderer } from "../review/agents/render/renderer.ts";
import type { Output } from "./output.ts";

interface ViewOptions {
  /** The bytes as they are; else in words. */
  raw: boolean;
  /** Whose output a run's log is, from its first lines. */
  reviewerOf(head: Uint8Array): Promise<string | undefined>;
}

/** Shows what a log holds, as it is read. */
export class LogView {
  private renderer: StreamRenderer | undefined;
  private run = 0;

  constructor(
    private readonly lines: LogLines,
    private readonly out: Output,
    private readonly options: ViewOptions,
  ) {}

  /** What came since the last look. False: nobody reads it any more. */
  async showNext(): Promise<boolean> {
    for await (const bytes of this.lines.next()) if (!(await this.show(bytes))) return false;
    return true;
  }

  /** What stands behind the last line end, too. */
  async showRest(): Promise<void> {
    const rest = this.lines.rest();
    if (rest.length > 0 && !(await this.show(rest))) return;
    await this.give(this.renderer?.end() ?? "");
  }

  private async show(bytes: Uint8Array): Promise<boolean> {
    if (this.options.raw) return await this.give(bytes);
    if (this.renderer === undefined || this.run !== this.lines.run) {
      await this.give(this.renderer?.end() ?? "");
      const { createRenderer } = await import("../review/agents/render/renderer.ts");
      this.run = this.lines.run;
      this.renderer = createRenderer(await this.options.reviewerOf(bytes), { paint: this.out.paint });
    }
    return await this.give(this.renderer.feed(bytes));
  }

  private async give(piece: string | Uint8Array): Promise<boolean> {
    return piece.length === 0 || (await this.out.pass(piece));
  }
}
