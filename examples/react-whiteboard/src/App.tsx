import { Conference, Identity } from "@keymoot/core"
import { type FormEvent, useEffect, useState } from "react"
import { Board } from "./Board.tsx"

const SERVER = new URLSearchParams(location.search).get("server") ?? "http://localhost:8080"

export function App() {
  const [conference, setConference] = useState<Conference | null>(null)
  const [problem, setProblem] = useState("")

  async function enter(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get("name"))
    try {
      const identity = await Identity.open({ name })
      // What stands behind the # is sent to no server: a good place for an invitation.
      const url = location.hash.slice(1)
      const entered = await (url ? Conference.join({ url, identity }) : Conference.create({ server: SERVER, identity }))
      history.replaceState(null, "", `#${entered.invitation.url}`)
      setConference(entered)
    } catch (error) {
      setProblem((error as Error).message)
    }
  }

  if (conference) return <Room conference={conference} />
  return (
    <form onSubmit={(event) => void enter(event)}>
      <input name="name" aria-label="Your name" required maxLength={60} /> <button>Enter</button>
      <p role="alert">{problem}</p>
    </form>
  )
}

function Room({ conference }: { conference: Conference }) {
  const [view, setView] = useState(conference.view)
  // Late subscribers are told the present state at once, so nothing is missed between rendering and effect.
  useEffect(() => conference.on("status", setView), [conference])
  const names = view.members.map(({ name }) => name).join(" and ")
  return (
    <>
      <p id="status">{view.status === "secured" ? `Encrypted for ${names}.` : "Agreeing on a key."}</p>
      <Board board={conference.document("board")} />
      <p>The address of this page is the invitation: give it to others.</p>
    </>
  )
}
