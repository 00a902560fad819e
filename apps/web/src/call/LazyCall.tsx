import { lazy } from "react"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { LazyPart } from "../ui/LazyPart.tsx"

const CallPanel = lazy(() => import("./CallPanel.tsx"))

/** The call, once the person opens it: most conferences have none. */
export function LazyCall({ session }: { readonly session: Session }) {
  const state = useStore(session.call.state)
  const problem = useStore(session.call.problem)
  return (
    <LazyPart open={state !== "out" || problem !== null} onClose={session.call.leave}>
      <CallPanel session={session} />
    </LazyPart>
  )
}
