declare const ROBOREV_VERSION: string | undefined;

/** Embedded by build.ts; `dev` when run from source. */
export const version: string = typeof ROBOREV_VERSION === "string" ? ROBOREV_VERSION : "dev";

/** Level of the daemon's HTTP contract: client and daemon work together exactly when it is equal. */
export const apiVersion = 1;
