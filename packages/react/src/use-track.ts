import { type RefCallback, useCallback } from "react"

/**
 * Plays a track in the `<audio>` or `<video>` element that gets this ref. `null`: none yet.
 *
 * @example
 * const ref = useTrack(tracks.get("camera") ?? null)
 * return <video ref={ref} autoPlay playsInline muted />
 */
export function useTrack(track: MediaStreamTrack | null): RefCallback<HTMLMediaElement> {
  return useCallback(
    (element) => {
      if (element) element.srcObject = track && new MediaStream([track])
    },
    [track],
  )
}
