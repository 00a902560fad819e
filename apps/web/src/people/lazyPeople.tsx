import { lazy, Suspense } from "react"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"

const VerifyDialog = lazy(() => import("./VerifyDialog.tsx"))
const InvitationCode = lazy(() => import("./InvitationCode.tsx"))

/** Codes are seldom compared: what draws and reads them is loaded then. */
export function LazyVerifyDialog({ session }: { readonly session: Session }) {
  const asked = useStore(session.verifying) !== null
  return <Suspense fallback={null}>{asked && <VerifyDialog session={session} />}</Suspense>
}

type LazyInvitationCodeProps = { readonly url: string; readonly open: boolean; readonly onClose: () => void }

export function LazyInvitationCode({ url, open, onClose }: LazyInvitationCodeProps) {
  return <Suspense fallback={null}>{open && <InvitationCode url={url} onClose={onClose} />}</Suspense>
}
