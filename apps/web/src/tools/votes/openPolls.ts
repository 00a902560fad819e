import type { ChannelMessage, ConferenceHandle } from "@keymoot/core"
import { calmly } from "../../calmly.ts"
import { type Readable, store, type Store } from "../../store.ts"
import { addPollMessage, decodePollMessage, personOf, POLLS_CHANNEL, shownPolls } from "./polls.ts"
import type { Poll, PollDraft, PollMessage, Polls, Vote } from "./polls.ts"

/** The minimum time between redraws of the polls: others vote at any rate. */
const DRAW_POLLS_MS = 200

/** `quick`: for or against, with given options. `begunMs` tells a form from the next one. */
export type PollFormState = PollDraft & {
  readonly quick: boolean
  readonly begunMs: number
  readonly state: "open" | "sending" | "failed"
}
export type SessionPolls = {
  /** `mine` is what this person chose last, also while it is being sent. */
  readonly polls: Readable<readonly Poll[]>
  /** The form of a new poll, as filled in so far; null while it is closed. */
  readonly pollForm: Store<PollFormState | null>
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
  let gathered: Polls = new Map()
  /** My last vote in each poll while it is being sent. The channel bounds what waits. */
  const sending = new Map<Poll["id"], Pick<Vote, "chosen" | "turn">>()
  const polls = store<readonly Poll[]>([])
  const pollForm = store<PollFormState | null>(null)
  let release: (() => void) | null = null
  const drawing = calmly(draw, DRAW_POLLS_MS)

  channel.on("message", receive, { signal })
  pollForm.subscribe(() => {
    if (hasText(pollForm.get())) release ??= hold()
    else {
      release?.()
      release = null
    }
  })

  function receive(message: ChannelMessage): void {
    const read = decodePollMessage(message.text)
    if (read === null) return invalid(message)
    const before = gathered
    gathered = addPollMessage(before, read, message)
    if (gathered !== before) drawing.request()
  }

  function draw(): void {
    polls.set(shownPolls(gathered, me).map((poll) => ({ ...poll, mine: sending.get(poll.id)?.chosen ?? poll.mine })))
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

  /** Draws at once, because the next choice starts from what is shown. */
  async function vote(of: Poll["id"], choice: readonly number[]): Promise<boolean> {
    // This person may have voted on another device meanwhile.
    const turns = [sending.get(of), gathered.get(of)?.votes.get(me)].map((last) => last?.turn ?? -1)
    const mine = { chosen: choice.toSorted((a, b) => a - b), turn: Math.max(...turns) + 1 }
    sending.set(of, mine)
    draw()
    const isSent = await send({ type: "vote", of, ...mine })
    if (sending.get(of) === mine) sending.delete(of)
    draw()
    return isSent
  }

  return {
    polls,
    pollForm,
    openPoll: (draft) => send({ type: "poll", ...draft }),
    vote,
    closePoll: (of) => send({ type: "close", of }),
  }
}

/** While the form is being sent, the poll itself is held. */
function hasText(form: PollFormState | null): boolean {
  if (form === null || form.state === "sending") return false
  return [form.question, ...(form.quick ? [] : form.options)].some((text) => text.trim() !== "")
}
