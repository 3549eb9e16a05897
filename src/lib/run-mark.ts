/**
 * Variable that everything a reviewer starts inherits, and that nothing else has: by its value, what a reviewer left
 * running is found wherever it went. Not `ROBOREV_…`: what the daemon was given under such names, no reviewer gets.
 */
export const runMarkName = "REVIEW_RUN_OF_ROBOREV";
