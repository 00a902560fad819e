import type { ConferenceHandle, KeymootError, MediaPurpose } from "@keymoot/core"
import { type MediaState, mediaStore } from "@keymoot/core/store"
import { useMemo, useState } from "react"
import { useSnapshots } from "./use-snapshots.ts"

/** State of the call and its actions. They never reject: `false` if one failed, and `error` says why. */
export type MediaInUse = MediaState & {
  readonly enter: () => Promise<boolean>
  readonly leave: () => void
  readonly publish: (purpose: MediaPurpose, track: MediaStreamTrack) => Promise<boolean>
  readonly unpublish: (purpose: MediaPurpose) => Promise<boolean>
  /** The error of the last action; null if it succeeded, or still runs. */
  readonly error: KeymootError | null
}

/** The call of a conference. Unmounting does not leave the call: call `leave`, or leave the conference. */
export function useMedia(conference: Pick<ConferenceHandle, "media">): MediaInUse {
  const { media } = conference
  const [failed, setFailed] = useState<{ readonly of: typeof media; readonly error: KeymootError } | null>(null)
  const snapshot = useSnapshots(mediaStore(conference))
  const actions = useMemo(() => {
    const attempt = async (act: () => Promise<void>): Promise<boolean> => {
      setFailed(null)
      try {
        await act()
        return true
      } catch (error) {
        // All rejections of the package are KeymootErrors.
        setFailed({ of: media, error: error as KeymootError })
        return false
      }
    }
    return {
      enter: () => attempt(() => media.enter()),
      leave: () => media.leave(),
      publish: (purpose: MediaPurpose, track: MediaStreamTrack) => attempt(() => media.publish(purpose, track)),
      unpublish: (purpose: MediaPurpose) => attempt(() => media.unpublish(purpose)),
    }
  }, [media])
  return { ...snapshot, ...actions, error: failed?.of === media ? failed.error : null }
}
