import { lazy } from "react"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { LazyPart } from "../ui/LazyPart.tsx"

const DiagnosticsDialog = lazy(() => import("./DiagnosticsDialog.tsx"))

/** Loaded on demand, because few people ever open it. */
export function LazyDiagnostics({ session }: { readonly session: Session }) {
  const close = (): void => session.diagnosticsOpen.set(false)
  return (
    <LazyPart open={useStore(session.diagnosticsOpen)} onClose={close}>
      <DiagnosticsDialog session={session} onClose={close} />
    </LazyPart>
  )
}
