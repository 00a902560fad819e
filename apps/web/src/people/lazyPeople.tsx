import { lazy } from "react"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { LazyPart } from "../ui/LazyPart.tsx"

const VerifyDialog = lazy(() => import("./VerifyDialog.tsx"))
export const QrCode = lazy(async () => ({ default: (await import("./QrCode.tsx")).QrCode }))
const InvitationCode = lazy(() => import("./InvitationCode.tsx"))

/** Codes are compared rarely, so the code that draws and reads them is loaded on demand. */
export function LazyVerifyDialog({ session }: { readonly session: Session }) {
  const asked = useStore(session.verifying) !== null
  return (
    <LazyPart open={asked} onClose={() => session.verifying.set(null)}>
      <VerifyDialog session={session} />
    </LazyPart>
  )
}

type LazyInvitationCodeProps = { readonly session: Session; readonly open: boolean; readonly onClose: () => void }

export function LazyInvitationCode({ session, open, onClose }: LazyInvitationCodeProps) {
  return (
    <LazyPart open={open} onClose={onClose}>
      <InvitationCode session={session} onClose={onClose} />
    </LazyPart>
  )
}
