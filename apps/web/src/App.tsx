import { lazy, Suspense, useEffect } from "react"
import type { KeymootApp } from "./app.ts"
import { forgetInvitation } from "./arrival.ts"
import { ConferenceScreen, prefetchConference } from "./conference/lazyConference.ts"
import { InvitedScreen } from "./screens/EnterScreen.tsx"
import type { Screen as ScreenState } from "./screens/screen.ts"
import { NowhereScreen } from "./screens/NowhereScreen.tsx"
import { ProblemScreen } from "./screens/ProblemScreen.tsx"
import { StartScreen } from "./screens/StartScreen.tsx"
import { WorkingScreen } from "./screens/WorkingScreen.tsx"
import { UpdateNote } from "./pwa/UpdateNote.tsx"
import { useStore } from "./store.ts"
import { PageDirection } from "./ui/PageDirection.tsx"

/** Its dialog for a link is a part that the start page does not need. */
const EarlyScreen = lazy(() => import("./schedule/EarlyScreen.tsx"))

export function App({ app }: { readonly app: KeymootApp }) {
  const isBringing = useStore(app.brought) !== null
  const mayUpdate = losesNothing(useStore(app.screen)) && !isBringing
  return (
    <PageDirection>
      <Screen app={app} />
      {mayUpdate && <UpdateNote hint="update.forms" />}
    </PageDirection>
  )
}

/**
 * Whether a reload loses nothing but forms: no board and chat that can still be saved, and no departure that goes on.
 * A conference has a note of its own.
 */
function losesNothing(screen: ScreenState): boolean {
  if (screen.kind === "problem") return screen.remains === null
  return screen.kind !== "working" && screen.kind !== "conference"
}

function Screen({ app }: { readonly app: KeymootApp }) {
  const screen = useStore(app.screen)
  const lastName = useStore(app.lastName)
  const entering = screen.kind === "working" && screen.what !== "leaving"
  useEffect(() => {
    if (entering) void prefetchConference()
  }, [entering])
  switch (screen.kind) {
    case "start":
      return <StartScreen app={app} problem={screen.problem} options={screen.options} lastName={lastName} />
    case "nowhere":
      return <NowhereScreen onStart={app.toStart} />
    case "entering":
      return (
        <InvitedScreen
          arrival={screen.arrival}
          problem={screen.problem}
          lastName={lastName}
          onJoin={(name) => app.join(screen.arrival, name)}
          onIdentity={app.onIdentity}
          onFinal={() => forgetInvitation(screen.arrival.id)}
          onInstead={app.toStart}
        />
      )
    case "early":
      return (
        <Suspense fallback={<WorkingScreen what="creating" />}>
          <EarlyScreen
            opensAtMs={screen.opensAtMs}
            invited={screen.invited}
            onEnter={screen.onEnter}
            onStart={app.toStart}
          />
        </Suspense>
      )
    case "working":
      return <WorkingScreen what={screen.what} />
    case "problem":
      return (
        <ProblemScreen
          problem={screen.problem}
          remains={screen.remains}
          storage={screen.storage ?? null}
          reason={screen.reason}
          ended={screen.ended ?? null}
          onCopy={screen.openCopy ?? null}
          onServerBack={screen.problem === "server-unreachable" ? screen.retry : null}
          onRetry={screen.retry}
          onStart={app.toStart}
        />
      )
    case "conference":
      return (
        <Suspense fallback={<WorkingScreen what={screen.after} />}>
          <ConferenceScreen
            key={screen.session.handle.id}
            session={screen.session}
            onLeave={app.leave}
            onClose={app.closeCopy}
            onLate={app.enterLate}
          />
        </Suspense>
      )
  }
}
