import type { MemberId } from "@keymoot/transport"
import type { KeymootError } from "./errors.ts"
import type { ListenOptions, Unsubscribe } from "./events.ts"
import type { Member } from "./members.ts"

/** Use of a track. Each member has at most one track for each. */
export type MediaPurpose = "microphone" | "camera" | "screen" | "screen-audio"

/**
 * none: nothing is sent, which also spares the sender. small: as all tracks at first. large: as in a call of up to four
 * members, where small is no smaller. Screens have one size.
 */
export type MediaSize = "none" | "small" | "large"

/** Asked of a member by a host of a higher rank. mute: the member's program stops its microphone, without asking it. */
export type MediaRequest = "mute" | "unmute"

/** By the share of packets lost and the round-trip time. unknown: not measured yet. */
export type MediaQuality = "unknown" | "good" | "fair" | "poor"

/** A member in the call, as this member receives it. */
export type MediaParticipant = {
  readonly member: Member
  /** Purposes of the tracks that it publishes, also while none of them can be received. */
  readonly published: ReadonlySet<MediaPurpose>
  /**
   * Tracks of `published`, once there is a connection that may bring them. Play them in an `<audio>` or `<video>`
   * element. They never stop by themselves.
   */
  readonly tracks: ReadonlyMap<MediaPurpose, MediaStreamTrack>
  /**
   * connecting: there is no path yet, or the one in use gives no answers. no-path: the last attempt found no path.
   * Another one is tried for as long as both are in the call.
   */
  readonly connection: "connecting" | "no-path" | "connected"
  /** Whether tracks of this member are sent to it. A path that gives no answers may still carry them. */
  readonly receives: boolean
  readonly quality: MediaQuality
  /** Frames of one of its tracks arrive, and none of them can be decrypted. */
  readonly undecryptable: boolean
  /** Whether its microphone was loud in the last second. */
  readonly speaking: boolean
}

/** Frames of one track since this member entered the call. */
export type MediaTrackStatistics = {
  readonly member: Member
  readonly direction: "send" | "receive"
  readonly purpose: MediaPurpose
  /** Frames that were encrypted or decrypted. */
  readonly frames: number
  /** Frames that were dropped, by reason. */
  readonly dropped: Readonly<Record<string, number>>
}

export type MediaEvents = {
  /** One of the properties of `conference.media` has changed. */
  change: () => void
  /**
   * A member in the call has started or stopped speaking. It comes after `change`. A member that leaves the call, or
   * switches its microphone off, has stopped.
   */
  speaking: (member: Member, speaking: boolean) => void
  /**
   * A local track is no longer published. The browser has ended it, as when a camera is unplugged, or a host has made
   * this member a viewer.
   */
  ended: (purpose: MediaPurpose) => void
  /**
   * This member has left the call again within ten seconds, since the call turned out to be full. Others have entered at
   * the same time. Enter again when somebody has left it.
   */
  full: () => void
  /**
   * The call ended by itself, because the browser has ended the worker that encrypts it. `state` is `out`, and the tracks
   * are no longer published. `enter` starts another worker.
   */
  failed: (error: KeymootError) => void
  /**
   * A host asks this member. With `mute` the microphone is no longer published, and this member may publish it again.
   * Requests of members that are no host, or a host of a lower rank, are refused and reported as `beyond-role`.
   */
  request: (request: MediaRequest, from: Member) => void
}

/**
 * Voice, video and screen, end-to-end encrypted under the key of the present view. Every frame is encrypted for the
 * present members; there is no mode without encryption. Under `majority` absent people of the roster can have the key.
 *
 * @example
 * await conference.media.enter()
 * const { audio } = await navigator.mediaDevices.getUserMedia({ audio: true }).then((stream) => ({ audio: stream.getAudioTracks()[0]! }))
 * await conference.media.publish("microphone", audio)
 */
export interface ConferenceMedia {
  /** Whether this member is in the call. */
  readonly state: "out" | "entering" | "in"
  /**
   * Other members in the call, in the order of the view. Inside of it they are those to which this member connects, at
   * most 23. Outside of it they have no tracks.
   */
  readonly participants: readonly MediaParticipant[]
  /** Own published tracks. */
  readonly published: ReadonlyMap<MediaPurpose, MediaStreamTrack>
  /** Whether this member sends less of its camera's video than it could, because its device is overloaded. */
  readonly videoReduced: boolean
  /**
   * Whether media can flow at all, for a preview. False if this member hides its address (`transportPolicy: "relay"`)
   * and knows no TURN server.
   * @throws KeymootError `closed`
   */
  canConnect(): Promise<boolean>
  /**
   * Enters the call: connects to the members in it and receives their tracks. It publishes nothing. A call has at most
   * 24 members.
   * @throws KeymootError `not-permitted` (a host has to admit this member first), `unsupported-browser` (also in Node),
   * `call-full`, `server-unreachable`, `closed`, `aborted` (left meanwhile)
   */
  enter(): Promise<void>
  /** Leaves the call, also while entering it. The tracks are no longer published, and are not stopped. */
  leave(): void
  /**
   * Sends a track to all members in the call, in place of a former one with that purpose. To mute, unpublish it: a
   * track whose `enabled` is false still sends silence or black frames, and the others see it as published.
   * @throws KeymootError `closed` outside of the call, `not-permitted` for viewers, `invalid-argument`
   */
  publish(purpose: MediaPurpose, track: MediaStreamTrack): Promise<void>
  /** Sends nothing for this purpose any more. The track is not stopped, and can be published again at once. */
  unpublish(purpose: MediaPurpose): Promise<void>
  /**
   * Sets the size in which this member shows a track of another one. It lasts until that member leaves the call. With
   * more than eight members in the call, others send their cameras only after this.
   */
  subscribe(member: MemberId, purpose: "camera" | "screen", size: MediaSize): void
  /**
   * Asks a member in the call, as a host. A program that was changed can ignore it; for that there is `setRole`.
   * @throws KeymootError `not-permitted` unless this member may remove that one, `invalid-argument` if it is not in the call
   */
  request(member: MemberId, request: MediaRequest): Promise<void>
  /** Present loudness of a member's microphone, 0 to 1. Read it for each animation frame. */
  level(participant: MediaParticipant): number
  statistics(): Promise<readonly MediaTrackStatistics[]>
  on<E extends keyof MediaEvents>(event: E, listener: MediaEvents[E], options?: ListenOptions): Unsubscribe
}
