/** Whether this is the compiled binary: its entry point lies in Bun's virtual file system. */
export function isCompiled(): boolean {
  return Bun.main.startsWith("/$bunfs/") || /^[A-Z]:[\\/]~BUN[\\/]/i.test(Bun.main);
}

/** argv prefix that runs this same program again, compiled or from source. */
export function selfCommand(): string[] {
  return isCompiled() ? [process.execPath] : [process.execPath, Bun.main];
}
