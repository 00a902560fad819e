import type { ChannelMessage, ConferenceHandle } from "@keymoot/core"
import type { Readable } from "../../store.ts"
import { calmed, store } from "../../store.ts"
import { addPollMessage, decodePollMessage, personOf, POLLS_CHANNEL, shownPolls } from "./polls.ts"
import type { Poll, PollDraft, PollMessage, Polls } from "./polls.ts"

/** The minimum time between redraws of the polls: others vote at any rate. */
const DRAW_POLLS_MS = 200

export type SessionPolls = {
  readonly polls: Readable<readonly Poll[]>
  /** False if it could not be sent. */
  openPoll(draft: PollDraft): Promise<boolean>
  vote(poll: Poll["id"], chosen: readonly number[]): Promise<boolean>
  closePoll(poll: Poll["id"]): Promise<boolean>
}

export function openPolls(
  handle: ConferenceHandle,
  invalid: (message: ChannelMessage) => void,
  hold: () => () => void,
  signal: AbortSignal,
): SessionPolls {
  const channel = handle.channel(POLLS_CHANNEL, { history: true })
  const me = personOf(handle.self)
  const gathered = store<Polls>(new Map())
  const shown = store<readonly Poll[]>([])
  gathered.subscribe(() => shown.set(shownPolls(gathered.get(), me)))

  channel.on("message", receive, { signal })

  function receive(message: ChannelMessage): void {
    const read = decodePollMessage(message.text)
    if (read === null) return invalid(message)
    gathered.set(addPollMessage(gathered.get(), read, message))
  }

  async function send(message: PollMessage): Promise<boolean> {
    const release = hold()
    try {
      receive(await channel.send(JSON.stringify(message), { service: "agreed" }))
      return true
    } catch {
      return false
    } finally {
      release()
    }
  }

  const lastTurn = (of: string): number => gathered.get().get(of)?.votes.get(me)?.turn ?? -1
  return {
    polls: calmed(shown, DRAW_POLLS_MS),
    openPoll: (draft) => send({ type: "poll", ...draft }),
    vote: (of, chosen) => send({ type: "vote", of, chosen: chosen.toSorted((a, b) => a - b), turn: lastTurn(of) + 1 }),
    closePoll: (of) => send({ type: "close", of }),
  }
}
