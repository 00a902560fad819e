import { Component, type ReactNode, Suspense } from "react"
import { useTranslation } from "react-i18next"

type Props = { readonly open: boolean; readonly onClose: () => void; readonly children: ReactNode }

/**
 * A part that is loaded when it is first opened. If it cannot be loaded, or throws, it shows a message, and the rest
 * goes on.
 */
export function LazyPart({ open, onClose, children }: Props) {
  return (
    open && (
      <PartBoundary onClose={onClose}>
        <Suspense fallback={null}>{children}</Suspense>
      </PartBoundary>
    )
  )
}

class PartBoundary extends Component<Omit<Props, "open">, { readonly broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true }
  }

  override render(): ReactNode {
    return this.state.broken ? <BrokenPart onClose={this.props.onClose} /> : this.props.children
  }
}

/** Browsers cache a failed import until the page is reloaded; a reload returns to the conference. */
function BrokenPart({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <div className="page-note" role="alert">
      <p>
        <strong>{t("part.broken")}</strong> {t("part.hint")} {t("update.forms")}
      </p>
      <button type="button" className="button primary" onClick={() => location.reload()}>
        {t("part.load")}
      </button>
      <button type="button" className="button" onClick={onClose}>
        {t("part.later")}
      </button>
    </div>
  )
}
