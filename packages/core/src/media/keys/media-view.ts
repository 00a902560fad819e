import type { MemberId } from "@keymoot/transport"
import type { MediaPurpose } from "../../api/index.ts"

/** Authenticated with each frame, so that a frame of one track cannot be played in another. */
export type MediaSource = MediaPurpose

/** Their order is part of the protocol: of the metadata below and of the media sections of a connection. */
export const MEDIA_SOURCES: readonly MediaSource[] = ["microphone", "camera", "screen", "screen-audio"]

export function isVideo(source: MediaSource): boolean {
  return source === "camera" || source === "screen"
}

/** SFrame metadata of a frame from that source. */
export function metadataOf(source: MediaSource): Uint8Array {
  return Uint8Array.of(1 + MEDIA_SOURCES.indexOf(source))
}

export type MediaMember = { readonly member: MemberId; readonly incarnation: number }

/** A view as frame encryption needs it. `members` has the order of the view, equal at all members. */
export type MediaView = { readonly id: string; readonly epoch: number; readonly members: readonly MediaMember[] }

export function isSameMember(a: MediaMember, b: MediaMember): boolean {
  return a.member === b.member && a.incarnation === b.incarnation
}

/** At least the largest conference, so that an index never runs into the bits of the epoch. */
const INDEXES = 256
/** Key ids are safe integers. No coordinator jumps so far, so the kept views have different ones. */
const EPOCHS = 2 ** 45

/** SFrame key id of a sender: low bits of the epoch, then the sender's index. Up to epoch 255 it takes two bytes. */
export function keyIdOf({ epoch }: Pick<MediaView, "epoch">, index: number): number {
  return (epoch % EPOCHS) * INDEXES + index
}

/** Index of the sender that a key id names in this view; null for a key id of another epoch. */
export function indexIn({ epoch }: Pick<MediaView, "epoch">, keyId: number): number | null {
  return Math.floor(keyId / INDEXES) === epoch % EPOCHS ? keyId % INDEXES : null
}
