import { Conference, type ConferencePreview } from "@keymoot/core"
import { useCallback, useEffect, useState } from "react"
import type { InvitationArrival } from "../arrival.ts"
import { prefetchBoard } from "../board/lazyBoard.ts"
import { prefetchConference } from "../conference/lazyConference.ts"
import { type Problem, problemOf } from "../problem.ts"
import { whenIdle } from "../ui/whenIdle.ts"
import { useServerBack } from "./useServerBack.ts"

export type Preview =
  | { readonly kind: "looking" }
  | { readonly kind: "seen"; readonly preview: ConferencePreview }
  | { readonly kind: "failed"; readonly problem: Problem }

type Previewing = {
  readonly preview: Preview
  /** Asks anew for another identity, which has verified other people. */
  readonly again: () => void
  /** Whether it was asked anew since this screen is there. */
  readonly isAnew: boolean
}

/** The link's conference, as its creator has signed it. Each arrival asks anew, and so does a server that answers again. */
export function usePreview(arrival: InvitationArrival): Previewing {
  const [seen, setSeen] = useState<Preview>({ kind: "looking" })
  const [attempt, setAttempt] = useState(0)
  const again = useCallback(() => setAttempt((before) => before + 1), [])
  useServerBack(seen.kind === "failed" && seen.problem === "server-unreachable" ? again : null)
  useEffect(() => {
    let wanted = true
    // Not anew on the first arrival, which would draw the whole screen again.
    setSeen((seen) => (seen.kind === "looking" ? seen : { kind: "looking" }))
    Conference.preview({ url: arrival.url }).then(
      (preview) => {
        if (!wanted) return
        setSeen({ kind: "seen", preview })
        // While the invitation is read, and not when its join needs the connection.
        whenIdle(() => wanted && void prefetchConference().then(() => wanted && prefetchBoard()))
      },
      (error: unknown) => wanted && setSeen({ kind: "failed", problem: problemOf(error) }),
    )
    return () => {
      wanted = false
    }
  }, [arrival, attempt])
  return { preview: seen, again, isAnew: attempt > 0 }
}
