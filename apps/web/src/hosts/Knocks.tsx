import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { Trust } from "../people/Trust.tsx"
import { LobbyChat } from "./LobbyChat.tsx"
import { KnockAnswers } from "./KnockAnswers.tsx"

/** For hosts: the people who want to join. */
export function Knocks({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const { knocks } = useStore(session.admission)
  const drafts = useStore(session.lobbyDrafts)
  /** Drops the texts for people who do not wait any more. */
  const setDraft = (id: string, change: (before: string) => string): void => {
    const present = new Set<string>(session.admission.get().knocks.map((person) => person.id))
    const waiting = [...session.lobbyDrafts.get()].filter(([other]) => present.has(other))
    session.lobbyDrafts.set(new Map(waiting).set(id, change(session.lobbyDrafts.get().get(id) ?? "")))
  }
  if (knocks.length === 0) return null
  return (
    <section className="knocks" aria-label={t("hosts.knocks")}>
      <h2 className="panel-lead">{t("hosts.knocks")}</h2>
      <ul className="plain-list">
        {knocks.map((person) => (
          <li key={person.id} className="person-row" tabIndex={-1}>
            <span className="member-name">
              <bdi title={person.name}>{person.name}</bdi>
            </span>
            <Trust person={person} unverified={t("people.unverified")} />
            <KnockAnswers session={session} person={person} className="link-button" next={nextInPanel} />
            <LobbyChat
              messages={person.messages}
              label={t("hosts.writeTo", { name: person.name })}
              guest={t("hosts.guest", { name: person.name })}
              draft={drafts.get(person.id) ?? ""}
              onDraft={(change) => setDraft(person.id, change)}
              onWrite={(text) => session.handle.sendLobbyMessage(text, person.id)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The person and not a button: a key that is pressed twice answers one person only. */
function nextInPanel(): HTMLElement | null {
  return document.querySelector<HTMLElement>(".knocks li") ?? document.querySelector(".people > .panel-lead")
}
