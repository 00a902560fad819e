import type { MemberId } from "@keymoot/transport"
import type { MediaMember, MediaView } from "./media-view.ts"

/** Key of one sender in one view, as it crosses to the media worker. The key cannot be extracted from `key`. */
export type SenderKeyMaterial = {
  readonly keyId: number
  readonly key: CryptoKey
  readonly salt: Uint8Array
}

/** From the engine to the media worker, over a port that the page passes on and does not read. */
export type MediaKeyMessage =
  /** First message: this member. */
  | { readonly type: "self"; readonly self: MediaMember }
  | { readonly type: "view"; readonly view: MediaView }
  /** `firstCounter`: of this member's first frame under its key. No former media worker has used it or a later one. */
  | {
      readonly type: "keyed"
      readonly view: string
      readonly keys: readonly SenderKeyMaterial[]
      readonly firstCounter: number
    }
  | { readonly type: "secured"; readonly view: string }
  /**
   * Members of the view that may publish, and those that a host has removed, which are in it until the next view.
   * Follows each view, change of roles and removal.
   */
  | { readonly type: "speakers"; readonly members: readonly MemberId[]; readonly removed: readonly MemberId[] }
  /** The conference is over. */
  | { readonly type: "closed" }

/** From the media worker to the engine. */
export type MediaKeyReply =
  /** The keys of this view are installed. Nothing more is encrypted under a key that an absent member knows. */
  { readonly type: "installed"; readonly view: string }
