import type { ConferencePreview } from "@keymoot/core"
import { Conference } from "@keymoot/core"
import { useEffect, useState } from "react"
import { problemOf } from "../problem.ts"
import type { Problem } from "../problem.ts"

export type Preview =
  | { readonly kind: "looking" }
  | { readonly kind: "seen"; readonly preview: ConferencePreview }
  | { readonly kind: "failed"; readonly problem: Problem }

/** What the link leads to, as its maker has signed it. */
export function usePreview(url: string): Preview {
  const [seen, setSeen] = useState<Preview>({ kind: "looking" })
  useEffect(() => {
    let wanted = true
    setSeen({ kind: "looking" })
    Conference.preview({ url }).then(
      (preview) => wanted && setSeen({ kind: "seen", preview }),
      (error: unknown) => wanted && setSeen({ kind: "failed", problem: problemOf(error) }),
    )
    return () => {
      wanted = false
    }
  }, [url])
  return seen
}
