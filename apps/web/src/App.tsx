import { Suspense, lazy } from "react"
import type { KeymootApp } from "./app.ts"
import { EnterScreen } from "./screens/EnterScreen.tsx"
import { ProblemScreen } from "./screens/ProblemScreen.tsx"
import { StartScreen } from "./screens/StartScreen.tsx"
import { WorkingScreen } from "./screens/WorkingScreen.tsx"
import { useStore } from "./store.ts"

const ConferenceScreen = lazy(() => import("./conference/ConferenceScreen.tsx"))

export function App({ app }: { readonly app: KeymootApp }) {
  const screen = useStore(app.screen)
  const storedName = useStore(app.storedName)
  switch (screen.kind) {
    case "start":
      return <StartScreen app={app} problem={screen.problem} storedName={storedName} />
    case "entering":
      return (
        <EnterScreen
          problem={screen.problem}
          storedName={storedName}
          onJoin={(name) => app.join(screen.id, screen.url, name)}
          onInstead={app.toStart}
        />
      )
    case "working":
      return <WorkingScreen what={screen.what} />
    case "problem":
      return <ProblemScreen problem={screen.problem} onRetry={screen.retry} onStart={app.toStart} />
    case "conference":
      return (
        <Suspense fallback={<WorkingScreen what="joining" />}>
          <ConferenceScreen key={screen.session.handle.id} session={screen.session} onLeave={app.leave} />
        </Suspense>
      )
  }
}
