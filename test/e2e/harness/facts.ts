/** A way by which a reminder may come to the model. */
export interface Delivery {
  /** Where it stood in the request; absent: it did not come this way. */
  place?: string | undefined;
}

/** Columns of the page. */
export const promises = {
  texts: "our texts are enough",
  close: "silent once closed",
  snooze: "silent while snoozed",
  daemon: "no daemon, no difference",
  uninstall: "uninstalled byte for byte",
  review: "reviews",
  readOnly: "reviews read-only",
  fix: "fixes",
} as const;

export type PromiseKey = keyof typeof promises;

/** What a run measured of one program, for the page; what is absent was not shown. */
export interface Facts {
  afterTool: Delivery;
  turnEnd: Delivery;
  /** Whether all checks of a promise held. */
  held: Partial<Record<PromiseKey, boolean>>;
}

export const noFacts = (): Facts => ({ afterTool: {}, turnEnd: {}, held: {} });
