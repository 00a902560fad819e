import "../styles/embed.css"
import { createRoot } from "react-dom/client"
import { useTranslation } from "react-i18next"
import { conferenceIdOf, firstArrival, isBrought } from "../arrival.ts"
import type { KeymootApp } from "../app.ts"
import type { Screen } from "../screens/screen.ts"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { Brand } from "../ui/Brand.tsx"
import { ScreenTitle } from "../ui/ScreenTitle.tsx"
import { openParent } from "./parent.ts"
import { embedOriginsOf, type EmbedState } from "./protocol.ts"

/**
 * The origins that may show this page in a frame, by the policy of its own server. Browsers enforce the policy before
 * the page runs. This is a second check, for a proxy that drops it.
 */
export async function embedOrigins(): Promise<readonly string[]> {
  try {
    const { headers } = await fetch(location.pathname, { method: "HEAD", cache: "no-store" })
    return embedOriginsOf(headers.get("content-security-policy"))
  } catch {
    return []
  }
}

export function showRefusal(root: HTMLElement): void {
  createRoot(root).render(<RefusedScreen />)
}

/** Says where the page is embedded, and tells the page around it what happens. */
export function embed(app: KeymootApp, root: HTMLElement, origins: readonly string[]): void {
  const bar = createRoot(root.insertAdjacentElement("beforebegin", document.createElement("div"))!)
  const tell = (origin: string | null) =>
    bar.render(<EmbeddedBar app={app} host={origin === null ? null : new URL(origin).host} />)
  document.documentElement.dataset["embedded"] = ""
  tell(origins.length === 1 ? origins[0]! : null)
  const parent = openParent(window, origins, tell)
  let unfollow = (): void => undefined
  /** Also while waiting: a refusal ends it for this person. */
  let hadConference = false

  function update(): void {
    unfollow()
    const screen = app.screen.get()
    if (screen.kind === "conference" && !screen.session.handle.copyOnly) {
      const { session } = screen
      const show = () => parent.show(stateOf(session))
      hadConference = true
      const unfollows = [session.view.subscribe(show), session.admission.subscribe(show)]
      unfollow = () => unfollows.forEach((end) => end())
      return show()
    }
    unfollow = () => undefined
    if (screen.kind === "working") return
    parent.show(
      hadConference && screen.kind === "problem" ? { at: "ended", reason: screen.problem } : { at: "outside" },
    )
    hadConference = false
  }

  app.screen.subscribe(update)
  update()
}

/** A person whom no host has let in yet is outside. */
function stateOf({ view, admission }: Session): EmbedState {
  if (admission.get().waiting) return { at: "outside" }
  const { members, status } = view.get()
  const security = status !== "secured" ? "agreeing" : members.length > 1 ? "encrypted" : "alone"
  return { at: "inside", people: members.length, security, verified: members.filter(({ verified }) => verified).length }
}

/** @param host null until the page around this one has said hello, if it can be more than one */
function EmbeddedBar({ app, host }: { readonly app: KeymootApp; readonly host: string | null }) {
  const { t } = useTranslation()
  // The address changes with the screen.
  const said = readerOf(useStore(app.screen))
  return (
    <aside className="embedded-bar">
      {host === null ? t(`embed.inside.${said}`) : t(`embed.insideOf.${said}`, { host })}
    </aside>
  )
}

/**
 * Whether the website around this page knows the secret of the conference that is shown. Nothing is said of a conference
 * to which this browser returns: a link of the website may have led there, even in another tab.
 */
function readerOf(screen: Screen): "known" | "unseen" | "unsaid" {
  const id = conferenceIdOf(location.pathname)
  if (id !== null && isBrought(id)) return "known"
  const way = screen.kind === "conference" ? screen.after : screen.kind === "working" ? screen.what : screen.kind
  return ["start", "nowhere", "entering", "creating", "joining"].includes(way) ? "unseen" : "unsaid"
}

/** With the secret of the link, which the page has taken out of its own address. */
function address(): string {
  return firstArrival?.kind === "invitation" ? firstArrival.url : location.href
}

function RefusedScreen() {
  const { t } = useTranslation()
  return (
    <main className="page">
      <div className="card">
        <Brand />
        <ScreenTitle>{t("embed.refused")}</ScreenTitle>
        <p>{t("embed.refusedHint")}</p>
        <a className="button primary wide" href={address()} target="_blank" rel="noreferrer">
          {t("embed.open")}
        </a>
      </div>
    </main>
  )
}
