import { Check, Link } from "lucide-react"
import { useEffect } from "react"
import { useTranslation } from "react-i18next"
import { useCopy } from "../ui/feedback/useCopy.ts"
import { Modal } from "../ui/Modal.tsx"

const FEEDBACK_MS = 2500

/** Copies the invitation. If the browser does not allow that, shows it for copying by hand. */
export function CopyLink({ url }: { readonly url: string }) {
  const { t } = useTranslation()
  const { state, setState, copy } = useCopy()

  useEffect(() => {
    if (state !== "copied") return
    const timer = setTimeout(() => setState("idle"), FEEDBACK_MS)
    return () => clearTimeout(timer)
  }, [state, setState])

  const label = state === "copied" ? t("bar.linkCopied") : t("bar.copyLink")
  return (
    <>
      <button type="button" className="button bar-button" aria-label={label} onClick={() => void copy(url)}>
        {state === "copied" ? <Check aria-hidden /> : <Link aria-hidden />}
        <span className="bar-label">{label}</span>
      </button>
      <span className="visually-hidden" role="status">
        {state === "copied" && t("bar.linkCopied")}
      </span>
      <Modal
        title={t("bar.copyByHand")}
        closeLabel={t("protection.close")}
        open={state === "by-hand"}
        onOpenChange={() => setState("idle")}
      >
        <p>{t("bar.copyByHandHint")}</p>
        <input
          className="wide"
          readOnly
          aria-label={t("start.link")}
          value={url}
          onFocus={(event) => event.currentTarget.select()}
        />
      </Modal>
    </>
  )
}
