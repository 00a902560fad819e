import type { Channel, ChannelMessage, ConferenceHandle } from "@keymoot/core"
import type { Readable } from "../store.ts"
import { store } from "../store.ts"
import { addMark, decodeMark, encodeMark, MARKED_MESSAGES_MAX, MARKS_CHANNEL } from "./marks.ts"
import type { Mark, Marks } from "./marks.ts"

/** Changes of one message that are taken back with it, the last ones; all of them at once. */
const ERASED_CHANGES_MAX = 64

/** Of a message that I take back: under way, or not done everywhere, so that it is to be tried again. */
export type Erasing = "waiting" | "failed"

export type Marking = {
  /** What has been said about messages since they were sent. */
  readonly marks: Readable<Marks>
  /** False if it could not be sent. */
  mark(mark: Mark): Promise<boolean>
  /** By message; what has been taken back is in it no more. */
  readonly erasing: Readable<ReadonlyMap<string, Erasing>>
  /** Takes a message of mine off every screen, and what it said out of every log. How that goes, `erasing` says. */
  erase(message: string): void
}

type Told = {
  /** Of a message of mine: what it was sent on. */
  readonly channelOf: (message: string) => Pick<Channel, "erase">
  readonly invalid: (mark: ChannelMessage) => void
  /** Something is being sent that a closed page would lose; returns the release. */
  readonly hold: () => () => void
}

/** What people say about messages: reactions, changes and deletions of their own. */
export function openMarking(handle: ConferenceHandle, told: Told, signal: AbortSignal): Marking {
  const channel = handle.channel(MARKS_CHANNEL, { history: true })
  const marks = store<Marks>(new Map())
  const erasing = store<ReadonlyMap<string, Erasing>>(new Map())
  /** What I have changed messages to, as messages of their own, by what they change. */
  const myChanges = new Map<string, string[]>()

  channel.on("message", receive, { signal })

  function receive(message: ChannelMessage): void {
    const mark = decodeMark(message.text)
    if (mark === null) return told.invalid(message)
    if (mark.type === "edit" && message.from.self) noteChange(mark.of, message.id)
    marks.set(addMark(marks.get(), mark, message))
  }

  function noteChange(of: string, id: string): void {
    myChanges.set(of, [...new Set([...(myChanges.get(of) ?? []), id])].slice(-ERASED_CHANGES_MAX))
    const [oldest] = myChanges.keys()
    if (myChanges.size > MARKED_MESSAGES_MAX && oldest !== undefined) myChanges.delete(oldest)
  }

  async function send(mark: Mark): Promise<boolean> {
    try {
      receive(await channel.send(encodeMark(mark), { service: "agreed" }))
      return true
    } catch {
      return false
    }
  }

  /** Whether all of it was sent. */
  async function takeBack(message: string): Promise<boolean> {
    // First what takes it off the screens: the place in the conversation stays, and says so.
    if (!(await send({ type: "delete", of: message }))) return false
    const changes = myChanges.get(message) ?? []
    const sending = [told.channelOf(message).erase([message]), ...(changes.length > 0 ? [channel.erase(changes)] : [])]
    return (await Promise.allSettled(sending)).every(({ status }) => status === "fulfilled")
  }

  function setErasing(message: string, state: Erasing | null): void {
    const next = new Map(erasing.get())
    if (state === null) next.delete(message)
    else next.set(message, state)
    erasing.set(next)
  }

  return {
    marks,
    mark: send,
    erasing,
    erase(message) {
      if (erasing.get().get(message) === "waiting") return
      setErasing(message, "waiting")
      const release = told.hold()
      void takeBack(message).then((isDone) => {
        release()
        if (!signal.aborted) setErasing(message, isDone ? null : "failed")
      })
    },
  }
}
