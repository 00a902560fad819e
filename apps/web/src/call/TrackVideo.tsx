import { useEffect, useRef } from "react"
import { forgetRefusal, playSound } from "./model/refusedSound.ts"

type TrackVideoProps = {
  readonly track: MediaStreamTrack | null
  readonly label: string
  /** As in a mirror: for the own camera. */
  readonly mirrored?: boolean
}

/** Shows a track without sound. It stays in the page without a track, so that a tile always has one video. */
export function TrackVideo({ track, label, mirrored = false }: TrackVideoProps) {
  const video = useRef<HTMLVideoElement>(null)
  // Without sound no browser waits for a press.
  useEffect(() => show(video.current!, track, (element) => element.play().catch(() => undefined)), [track])
  return (
    <video
      ref={video}
      className="track-video"
      aria-label={label}
      hidden={track === null}
      data-mirrored={mirrored}
      autoPlay
      muted
      playsInline
    />
  )
}

type TrackAudioProps = {
  readonly track: MediaStreamTrack
  /** Id of the device; null: the browser's default. */
  readonly speaker: string | null
}

/** Plays the sound of a track. */
export function TrackAudio({ track, speaker }: TrackAudioProps) {
  const audio = useRef<HTMLAudioElement>(null)
  useEffect(() => show(audio.current!, track, playSound), [track])
  useEffect(() => {
    // Missing in Safari. A speaker that is gone leaves the one that plays.
    void audio.current?.setSinkId?.(speaker ?? "").catch(() => undefined)
  }, [speaker])
  return <audio ref={audio} autoPlay onPlaying={(event) => forgetRefusal(event.currentTarget)} />
}

function show<E extends HTMLMediaElement>(
  element: E,
  track: MediaStreamTrack | null,
  play: (element: E) => Promise<void>,
): () => void {
  element.srcObject = track && new MediaStream([track])
  if (track) void play(element)
  return () => {
    element.srcObject = null
    forgetRefusal(element)
  }
}
