/** Invalid arguments. */
export const USAGE_WRONG = 2
/** The machine has not what the experiment needs. */
export const UNAVAILABLE = 3
