/** A condition on `root_path`: it lies below this directory. */
export function belowDirectory(directory: string): { sql: string; values: string[] } {
  const below = `${directory.replace(/\/+$/, "")}/`;
  // LIKE alone would take paths in any case of letters.
  return {
    sql: "root_path LIKE ? ESCAPE '!' AND instr(root_path, ?) = 1",
    values: [likePrefix(below), below],
  };
}

/** A LIKE pattern (`ESCAPE '!'`) for text that starts with `prefix`. */
const likePrefix = (prefix: string): string => `${prefix.replace(/[!%_]/g, "!$&")}%`;
