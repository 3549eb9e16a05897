/** One result: a ratio, which means the same on every machine, or a bare number, which does not. */
export interface Figure {
  name: string;
  value: number;
  /** What it is a ratio to, or the unit of a bare number. */
  unit: string;
  isRatio: boolean;
  /** The most that it may be: beyond it the run fails. */
  target?: number;
}

export const isMet = ({ value, target }: Figure): boolean => target === undefined || value <= target;

export const ratioFigure = (name: string, value: number, to: string, target?: number): Figure => ({
  ...{ name, value, unit: `× ${to}`, isRatio: true },
  ...(target === undefined ? {} : { target }),
});

export const bareFigure = (name: string, value: number, unit: string, target?: number): Figure => ({
  ...{ name, value, unit, isRatio: false },
  ...(target === undefined ? {} : { target }),
});
