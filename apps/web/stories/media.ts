import { KeymootError, type MediaParticipant, type MediaPurpose, type Member } from "@keymoot/core"

/** By index of the other members in the call. */
export type InCallAs = readonly Partial<Omit<MediaParticipant, "tracks" | "member">>[]
/** Differences from an ordinary call. */
export type CallScene = {
  /** The first other member shares a screen. */
  readonly screen?: boolean
  /** This device is busy. */
  readonly busy?: boolean
  /** Nobody ever enters it. */
  readonly entering?: boolean
  /** Nobody can enter it. */
  readonly refusal?: KeymootError["code"]
  /** This person hides its address, and the server has no TURN. */
  readonly hidden?: boolean
}
type On = (event: string, listener: (...values: never[]) => void) => () => void

/** A call of these other members. The first has a picture. */
export function mediaOf(
  others: readonly Member[],
  inCallAs: InCallAs,
  { screen, busy, entering, refusal, hidden }: CallScene,
  on: On,
): object {
  const participants = others.map((member, index): MediaParticipant => {
    const picture = index === 0 ? (["microphone", "camera"] as const).map((use) => [use, pictureTrack()] as const) : []
    const shared = index === 0 && screen ? ([["screen", pictureTrack()]] as const) : []
    const tracks = new Map<MediaPurpose, MediaStreamTrack>([...picture, ...shared])
    return {
      member,
      published: new Set(tracks.keys()),
      tracks,
      connection: "connected",
      receives: true,
      quality: "good",
      undecryptable: false,
      speaking: index === 0,
      ...inCallAs[index],
    }
  })
  const media = {
    state: "out",
    participants,
    published: new Map(),
    videoReduced: busy === true,
    canConnect: async () => !hidden,
    enter: async () => {
      if (refusal) throw new KeymootError(refusal, "refused")
      if (entering) await new Promise(() => undefined)
      media.state = "in"
    },
    leave: () => {},
    publish: async () => {},
    unpublish: async () => {},
    subscribe: () => {},
    request: async () => {},
    level: () => 0,
    statistics: async () => [],
    on: (event: string, listener: (...values: never[]) => void) => on(`media ${event}`, listener),
  }
  return media
}

/** A camera in front of which nothing moves. */
export function pictureTrack(): MediaStreamTrack {
  const canvas = document.createElement("canvas")
  Object.assign(canvas, { width: 320, height: 180 })
  const context = canvas.getContext("2d")!
  const draw = (): void => {
    context.fillStyle = "#8a5a2b"
    context.fillRect(0, 0, 320, 180)
    requestAnimationFrame(draw)
  }
  draw()
  return canvas.captureStream().getVideoTracks()[0]!
}
