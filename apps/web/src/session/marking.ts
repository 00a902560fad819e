import type { Channel, ChannelMessage, ConferenceHandle, Member } from "@keymoot/core"
import type { Readable } from "../store.ts"
import { store } from "../store.ts"
import { addMark, decodeMark, encodeMark, MARKED_MESSAGES_MAX, MARKS_CHANNEL } from "./marks.ts"
import type { Mark, Marks } from "./marks.ts"

/** The last edits of one message that are deleted with it, all at once. */
const ERASED_CHANGES_MAX = 64

/** The state of a deletion: in progress, or incomplete and to be retried. */
export type Erasing = "waiting" | "failed"

export type Marking = {
  /** The marks of messages since they were sent. */
  readonly marks: Readable<Marks>
  /** False if it could not be sent. */
  mark(mark: Mark): Promise<boolean>
  /** By message, without completed deletions. */
  readonly erasing: Readable<ReadonlyMap<string, Erasing>>
  /** Removes my message from every screen, and its text from every log. `erasing` reports the progress. */
  erase(message: string): void
}

type Told = {
  /** The channel of my message. */
  readonly channelOf: (message: string) => Pick<Channel, "erase">
  readonly invalid: (mark: ChannelMessage) => void
  /** The members that the page shows at the moment. */
  readonly shownMembers: () => readonly Member["id"][]
  /** Marks a send that closing the page would lose; returns the release. */
  readonly hold: () => () => void
}

/** Reactions to messages, and edits and deletions by their authors. */
export function openMarking(handle: ConferenceHandle, told: Told, signal: AbortSignal): Marking {
  const channel = handle.channel(MARKS_CHANNEL, { history: true })
  const marks = store<Marks>(new Map())
  const erasing = store<ReadonlyMap<string, Erasing>>(new Map())
  /** My edits, as messages of their own, by the message that they change. */
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
    // Only an edit has content that a newcomer should not read unseen.
    const readers = mark.type === "edit" ? { readers: told.shownMembers() } : {}
    try {
      receive(await channel.send(encodeMark(mark), { service: "agreed", ...readers }))
      return true
    } catch {
      return false
    }
  }

  /** Whether all of it was sent. */
  async function takeBack(message: string): Promise<boolean> {
    // First the mark that hides the message: its place in the conversation remains, with a note.
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
