import { Suspense } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { BoardBoundary } from "./BoardBoundary.tsx"
import { Board } from "./lazyBoard.ts"

export function BoardPane({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  return (
    <section className="board" aria-label={t("board.label")}>
      <BoardBoundary>
        <Suspense
          fallback={
            <p className="board-state" role="status">
              <span className="spinner" aria-hidden="true" />
              {t("board.loading")}
            </p>
          }
        >
          <Board session={session} />
        </Suspense>
      </BoardBoundary>
    </section>
  )
}
