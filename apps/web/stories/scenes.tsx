import { openSession, type Session } from "../src/session/session.ts"
import { type ReactNode, Suspense } from "react"
import type { KeymootApp } from "../src/app.ts"
import { ConferenceScreen } from "../src/conference/lazyConference.ts"
import { store } from "../src/store.ts"
import { openStory, type Scene, type Story } from "./conference.ts"

/** Screens by the name of their state. */
export type States = Readonly<Record<string, () => ReactNode>>

export const nothing = (): void => undefined

export function conference(scene: Scene, happen: (story: Story, session: Session) => void = nothing): ReactNode {
  return room(sessionOf(scene, happen))
}

export function room(session: Session): ReactNode {
  return (
    <Suspense>
      <ConferenceScreen session={session} onLeave={nothing} onClose={nothing} onLate={nothing} />
    </Suspense>
  )
}

export function sessionOf(scene: Scene, happen: (story: Story, session: Session) => void = nothing): Session {
  const story = openStory(scene)
  const session = openSession(story.handle, true)
  happen(story, session)
  return session
}

/** The app as the start page needs it. Nothing that a person does there has an effect. */
export function appOf(screen: ReturnType<KeymootApp["screen"]["get"]>, lastName: string): KeymootApp {
  return {
    screen: store(screen),
    lastName: store(lastName),
    brought: store(null),
    arrive: nothing,
    start: nothing,
    join: nothing,
    follow: nothing,
    resume: nothing,
    leave: nothing,
    closeCopy: nothing,
    enterLate: nothing,
    toStart: nothing,
    onIdentity: nothing,
  }
}

/** Some news is news only to a person who saw the time before: waits for this element. */
export function whenShown(run: () => void, selector = ".drawer"): void {
  if (document.querySelector(selector) !== null) run()
  else setTimeout(() => whenShown(run, selector), 50)
}
