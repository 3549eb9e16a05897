import type { Palette } from "./view/paint.ts";

type Environment = Record<string, string | undefined>;

/**
 * What the user asks for: `NO_COLOR`, `ROBOREV_COLOR_MODE` (none, dark, light; auto looks further), else what the
 * terminal tells of itself. `COLORFGBG` ends with the number of its background colour.
 */
export function paletteOf(env: Environment): Palette {
  const mode = env.ROBOREV_COLOR_MODE?.trim().toLowerCase();
  const isForced = env.FORCE_COLOR !== undefined && !["", "0", "false"].includes(env.FORCE_COLOR);
  const isPlain = mode === "none" || Boolean(env.NO_COLOR) || (env.TERM === "dumb" && !isForced);
  return {
    colour: !isPlain,
    isLight: mode === "light" || (mode !== "dark" && isLightBackground(env.COLORFGBG)),
  };
}

function isLightBackground(colours: string | undefined): boolean {
  const background = Number(colours?.split(";").at(-1));
  return background === 7 || (background >= 9 && background <= 15);
}
