/** Messages between a page and its media worker. None of them has a key. */
import type { Track } from "./frame-cipher.ts"
import type { Sounds } from "./sound-reports.ts"
import type { TrackCounts } from "./track-counts.ts"

/** Interval at which the worker looks for frames that came too late, and for sounds that have stopped. */
export const LOOK_MS = 50

export type ToMediaWorker =
  /** Transferred: the end of the engine's channel. */
  | { readonly type: "keys"; readonly port: MessagePort }
  | { readonly type: "count"; readonly request: number }
  /** The page has closed this connection, whose number its transforms have. */
  | { readonly type: "ended"; readonly connection: number }

export type FromMediaWorker =
  | { readonly type: "needs-key-frame"; readonly track: Track }
  | { readonly type: "counts"; readonly request: number; readonly counts: readonly TrackCounts[] }
  /** See `SoundReports`. */
  | { readonly type: "sounds"; readonly sounds: Sounds }
