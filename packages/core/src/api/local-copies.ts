/**
 * Whether this device keeps a sealed copy of what was drawn and said, so that a reload loses nothing. kept: it does;
 * failing: it could not write the last piece, for want of space mostly, and what is new is lost with this page unless others
 * have it; off: it was asked not to.
 */
export type StorageState = "kept" | "failing" | "off"

/** A short private text kept with this device's copy of the conference, such as a draft. Nobody else ever has it. */
export interface Note {
  /** What was written last, in this or an earlier life of the page; null for nothing. */
  read(): Promise<string | null>
  /** Resolves when it is kept, or cannot be (see {@link StorageState}). */
  write(text: string): Promise<void>
}
