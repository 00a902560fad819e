/** `Date` is the wall clock, and `performance` the monotonic one. Both count milliseconds. */
export interface Clock {
  now(): number
}
