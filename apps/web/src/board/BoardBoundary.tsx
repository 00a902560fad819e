import { Component } from "react"
import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"

type Props = { readonly children: ReactNode }

/** If the whiteboard breaks, the chat and the conference go on, and the board can be loaded again from the shared document. */
export class BoardBoundary extends Component<Props, { readonly broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true }
  }

  override render(): ReactNode {
    return this.state.broken ? <BrokenBoard onReload={() => this.setState({ broken: false })} /> : this.props.children
  }
}

function BrokenBoard({ onReload }: { readonly onReload: () => void }) {
  const { t } = useTranslation()
  return (
    <div className="board-state" role="alert">
      <p>
        <strong>{t("board.failed")}</strong>
      </p>
      <p>{t("board.failedHint")}</p>
      <button type="button" className="button primary" onClick={onReload}>
        {t("board.reload")}
      </button>
    </div>
  )
}
