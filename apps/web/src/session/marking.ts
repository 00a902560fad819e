import type { Channel, ChannelMessage, ConferenceHandle, Member } from "@keymoot/core"
import { type Readable, store } from "../store.ts"
import { addMark, decodeMark, encodeMark, type Mark, MARKED_MESSAGES_MAX, type Marks, MARKS_CHANNEL } from "./marks.ts"
import type { Entry } from "./order.ts"

/** The last edits of one message that are deleted with it, all at once. */
const ERASED_CHANGES_MAX = 64

/** The state of a deletion: in progress, or incomplete and to be retried. */
export type Erasing = "waiting" | "failed"

/** The change of a message of mine. */
export type Edit = { readonly text: string; readonly state: "typing" | "sending" | "failed" }

export type Marking = {
  /** The marks of messages since they were sent. */
  readonly marks: Readable<Marks>
  /** False if it could not be sent. */
  mark(mark: Mark): Promise<boolean>
  /** By message, until they are sent or given up. They outlive their forms; each was begun by this person. */
  readonly edits: Readable<ReadonlyMap<string, Edit>>
  /** The typed text; null gives the change up. */
  setEdit(message: string, text: string | null): void
  sendEdit(message: string): void
  /** By message, without completed deletions. */
  readonly erasing: Readable<ReadonlyMap<string, Erasing>>
  /** Removes my message from every screen, and its text from every log. `erasing` reports the progress. */
  erase(message: string): void
}

type Hooks = {
  readonly transcript: Readable<readonly Entry[]>
  /** The channel of my message. */
  readonly channelOf: (message: string) => Pick<Channel, "erase">
  readonly invalid: (mark: ChannelMessage) => void
  /** The members that the page shows at the moment. */
  readonly shownMembers: () => readonly Member["id"][]
  /** Marks a change or a send that closing the page would lose; returns the release. */
  readonly hold: () => () => void
}

/** Reactions to messages, and edits and deletions by their authors. */
export function openMarking(handle: ConferenceHandle, hooks: Hooks, signal: AbortSignal): Marking {
  const channel = handle.channel(MARKS_CHANNEL, { history: true })
  const marks = store<Marks>(new Map())
  const erasing = store<ReadonlyMap<string, Erasing>>(new Map())
  const edits = store<ReadonlyMap<string, Edit>>(new Map())
  /** The releases of `edits` that are not being sent. */
  const holding = new Map<string, () => void>()
  /** My edits, as messages of their own, by the message that they change. */
  const myChanges = new Map<string, string[]>()

  channel.on("message", receive, { signal })
  // An evicted message has no form any more, in which its change could be sent or given up.
  hooks.transcript.subscribe(() => {
    for (const [message, { state }] of edits.get()) {
      if (state !== "sending" && !isInTranscript(message)) putEdit(message, null)
    }
  })

  function isInTranscript(message: string): boolean {
    return hooks.transcript.get().some(({ id }) => id === message)
  }

  function receive(message: ChannelMessage): void {
    const mark = decodeMark(message.text)
    if (mark === null) return hooks.invalid(message)
    if (mark.type === "edit" && message.from.self) noteChange(mark.of, message.id)
    if (mark.type === "delete" && message.from.self) putEdit(mark.of, null)
    marks.set(addMark(marks.get(), mark, message))
  }

  function noteChange(of: string, id: string): void {
    myChanges.set(of, [...new Set([...(myChanges.get(of) ?? []), id])].slice(-ERASED_CHANGES_MAX))
    const [oldest] = myChanges.keys()
    if (myChanges.size > MARKED_MESSAGES_MAX && oldest !== undefined) myChanges.delete(oldest)
  }

  function putEdit(message: string, edit: Edit | null): void {
    const next = new Map(edits.get())
    // An edit that was only begun loses nothing.
    const isTyped = next.has(message)
    if (edit === null) next.delete(message)
    else next.set(message, edit)
    edits.set(next)
    if (edit !== null && edit.state !== "sending") {
      if (isTyped && !holding.has(message)) holding.set(message, hooks.hold())
    } else {
      holding.get(message)?.()
      holding.delete(message)
    }
  }

  async function sendEdit(of: string): Promise<void> {
    const typed = edits.get().get(of)
    if (typed === undefined || typed.state === "sending") return
    const text = typed.text.trim()
    const edit: Edit = { text, state: "sending" }
    // Until it is sent, even if the person gives it up meanwhile.
    const release = hooks.hold()
    putEdit(of, edit)
    const isSent = await send({ type: "edit", of, text })
    if (edits.get().get(of) === edit) putEdit(of, isSent || !isInTranscript(of) ? null : { text, state: "failed" })
    release()
  }

  async function send(mark: Mark): Promise<boolean> {
    // Only an edit has content that a newcomer should not read unseen.
    const readers = mark.type === "edit" ? { readers: hooks.shownMembers() } : {}
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
    const sending = [hooks.channelOf(message).erase([message]), ...(changes.length > 0 ? [channel.erase(changes)] : [])]
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
    edits,
    setEdit: (message, text) => putEdit(message, text === null ? null : { text, state: "typing" }),
    sendEdit: (message) => void sendEdit(message),
    erasing,
    erase(message) {
      if (erasing.get().get(message) === "waiting") return
      setErasing(message, "waiting")
      const release = hooks.hold()
      void takeBack(message).then((isDone) => {
        release()
        if (!signal.aborted) setErasing(message, isDone ? null : "failed")
      })
    },
  }
}
