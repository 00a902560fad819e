import { Conference, type ConferenceHandle, Identity } from "@keymoot/core"
import { type ConferenceStore, createConferenceStore } from "@keymoot/core/store"
import { useConference, useMembers } from "@keymoot/react"
import { type FormEvent, useState } from "react"
import { Board } from "./Board.tsx"

const SERVER = new URLSearchParams(location.search).get("server") ?? "http://localhost:8080"

/** Enters when a component uses it, and leaves when none does any more. */
function storeFor(name: string): ConferenceStore {
  return createConferenceStore({
    openIdentity: () => Identity.open({ name }),
    enter: async (identity, signal) => {
      // The part after # is sent to no server: a good place for an invitation.
      const url = location.hash.slice(1)
      const conference = await (url
        ? Conference.join({ url, identity, signal })
        : Conference.create({ server: SERVER, identity, signal }))
      history.replaceState(null, "", `#${conference.invitation.url}`)
      return conference
    },
  })
}

export function App() {
  const [store, setStore] = useState<ConferenceStore | null>(null)
  const state = useConference(store)

  function enter(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    setStore(storeFor(String(new FormData(event.currentTarget).get("name"))))
  }

  if (state.status === "open") return <Room conference={state.conference} secured={state.view.status === "secured"} />
  if (state.status === "closed") return <p>Over: {state.reason}.</p>
  return (
    <form onSubmit={enter}>
      <input name="name" aria-label="Your name" required maxLength={60} />{" "}
      <button disabled={state.status === "entering"}>Enter</button>
      <p role="alert">{state.status === "failed" && state.error.message}</p>
    </form>
  )
}

function Room({ conference, secured }: { conference: ConferenceHandle; secured: boolean }) {
  const names = useMembers(conference).map(({ name }) => name)
  return (
    <>
      <p id="status">{secured ? `Encrypted for ${names.join(" and ")}.` : "Agreeing on a key."}</p>
      <Board conference={conference} />
      <p>The address of this page is the invitation: give it to others.</p>
    </>
  )
}
