import { Component, Suspense } from "react"
import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"

type Props = { readonly open: boolean; readonly onClose: () => void; readonly children: ReactNode }

/** A part that is loaded when it is first opened. If it cannot be had, or breaks, that is said, and all else goes on. */
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

/** Browsers remember what could not be loaded until the page is loaded again, which leads back into a conference. */
function BrokenPart({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <div className="page-note" role="alert">
      <p>
        <strong>{t("part.broken")}</strong> {t("part.hint")}
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
