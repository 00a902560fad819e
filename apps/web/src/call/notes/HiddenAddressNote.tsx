import { useEffect, useState } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../../session/session.ts"

/** Says before a call that nobody can be reached in it: the own address is hidden, and the server has no TURN. */
export function HiddenAddressNote({ session: { handle } }: { readonly session: Session }) {
  const { t } = useTranslation()
  const [connects, setConnects] = useState(true)
  useEffect(() => {
    // A conference that ends meanwhile has no preview.
    handle.media.canConnect().then(setConnects, () => undefined)
  }, [handle])
  return <div role="status">{!connects && <p className="hint">{t("call.addressHidden")}</p>}</div>
}
