import { Component, type ReactNode } from "react"
import { useTranslation } from "react-i18next"
import { BoardNotLoaded } from "./lazyBoard.ts"

type Props = { readonly children: ReactNode }
/** Null while nothing has failed. */
type State = { readonly problem: unknown }

/**
 * If the whiteboard throws, the chat and the conference go on, and the board can be reloaded from the shared document.
 */
export class BoardBoundary extends Component<Props, State> {
  override state: State = { problem: null }

  static getDerivedStateFromError(problem: unknown): State {
    return { problem }
  }

  override render(): ReactNode {
    const { problem } = this.state
    return problem === null ? this.props.children : <BrokenBoard onReload={() => this.#reload(problem)} />
  }

  #reload(problem: unknown): void {
    if (problem instanceof BoardNotLoaded) location.reload()
    else this.setState({ problem: null })
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
