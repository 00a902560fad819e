import { lazy } from "react"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { LazyPart } from "../ui/LazyPart.tsx"

const CallPanel = lazy(() => import("./CallPanel.tsx"))
const CallStage = lazy(() => import("./CallStage.tsx"))

/** The call, once the person opens it: most conferences have none. */
export function LazyCall({ session }: { readonly session: Session }) {
  const state = useStore(session.call.state)
  const before = useStore(session.call.before)
  return (
    <LazyPart open={state !== "out" || before !== null} onClose={session.call.leave}>
      <CallPanel session={session} />
    </LazyPart>
  )
}

/** The enlarged track beside the board, if there is one. */
export function LazyCallStage({ session }: { readonly session: Session }) {
  const staged = useStore(session.call.stage)
  return (
    <LazyPart open={staged !== null} onClose={() => staged && session.call.toggleStage(staged)}>
      <CallStage session={session} />
    </LazyPart>
  )
}
