import type {
  AdmissionState,
  ChannelMessage,
  ConferenceHandle,
  ConferenceView,
  ErrorCode,
  LinkPath,
  Member,
  SecurityEvent,
  ServerState,
  StorageState,
  ViewChange,
} from "@keymoot/core"
import { KeymootError } from "@keymoot/core"
import type { Readable, Store } from "../store.ts"
import { store } from "../store.ts"
import { assignColours } from "./colours.ts"
import type { Colours } from "./colours.ts"
import { appendLine } from "./log.ts"
import type { LogLine } from "./log.ts"
import { openFiles } from "./files.ts"
import type { SessionFiles } from "./files.ts"
import { addMark, decodeMark, encodeMark, MARKED_MESSAGES_MAX, MARKS_CHANNEL } from "./marks.ts"
import type { Mark, Marks } from "./marks.ts"
import { insertEntry, withoutTexts } from "./order.ts"
import { NO_PICTURES } from "./pictures.ts"
import type { PictureNews, PictureTaker } from "./pictures.ts"
import { openPresence } from "./presence.ts"
import type { Presence } from "./presence.ts"
import { keepUnsent } from "./unsent.ts"
import type { Comings, Entry } from "./order.ts"

/**
 * A message of mine that has not been delivered yet; `failed` says why it never will be. interrupted: the page was closed
 * before it was known to have arrived.
 */
export type Pending = {
  readonly key: number
  readonly text: string
  readonly failed: ErrorCode | "interrupted" | null
}

/** `percent`: 0 to 99. */
type Receiving = { readonly from: Member; readonly percent: number }
/** Pieces; what comes in fewer is there before anybody could read of it. */
const RECEIVING_PIECES_MIN = 16

/** Who came and went, for the live region; a new object each time, so that equal news are read out again. */
type News = Comings

/** Changes of one message that are taken back with it, the last ones; all of them at once. */
const ERASED_CHANGES_MAX = 64

/** Messages waiting to be sent; further ones are refused in the composer. */
const PENDING_MAX = 100

/** A conference as the screens follow it: the handle's events gathered into values that can be read at any time. */
export type Session = {
  readonly handle: ConferenceHandle
  readonly view: Readable<ConferenceView>
  readonly colours: Readable<Colours>
  readonly server: Readable<ServerState>
  readonly links: Readable<ReadonlyMap<Member["id"], LinkPath>>
  readonly storage: Readable<StorageState>
  /** Something of the board could not be sent, and never will be. */
  readonly boardUnsent: Store<boolean>
  readonly admission: Readable<AdmissionState>
  /** The present link. */
  readonly invitation: Readable<string>
  /** A large piece of the board is on its way here. */
  readonly receiving: Readable<Receiving | null>
  readonly transcript: Readable<readonly Entry[]>
  /** What has been said about messages since they were sent. */
  readonly marks: Readable<Marks>
  readonly presence: Presence
  readonly files: SessionFiles
  readonly pictures: Store<PictureNews>
  /** The board, while it is open and may be drawn on. */
  readonly pictureTaker: Store<PictureTaker | null>
  readonly pending: Readable<readonly Pending[]>
  /** Forms that hold something which is neither sent nor kept. */
  readonly held: Readable<number>
  readonly unread: Readable<number>
  /** What stands in the composer: it outlives the panel. */
  readonly draft: Store<string>
  readonly log: Readable<readonly LogLine[]>
  readonly news: Readable<News | null>
  /** Who was cut off without a goodbye and is not back; the person may take them off. */
  readonly lost: Store<readonly Member[]>
  /** Who of them has just come back: both sides' doings have been merged. */
  readonly reunited: Readable<readonly Member[]>
  /** Whose part of the board is shown here. */
  readonly following: Store<Member["id"] | null>
  readonly securityOpen: Store<boolean>
  /** With whom codes are being compared. */
  readonly verifying: Store<Member["id"] | null>
  /** Of which changed keys the person wants to hear no more; their rows go on to say it. */
  readonly hiddenAlarms: Store<ReadonlySet<Member["id"]>>
  /** False if too many messages are waiting; the text then stays with the caller. */
  send(text: string): boolean
  /** False if it could not be sent. */
  mark(mark: Mark): Promise<boolean>
  /** Takes a message of mine off every screen, and what it said out of every log. False if that could not be sent. */
  erase(message: string): Promise<boolean>
  /** A form holds what would be lost; returns the release. */
  holdUnsent(): () => void
  retry(key: number): void
  discard(key: number): void
  /** Whether the person has the chat before their eyes: what arrives then is read. */
  setChatVisible(visible: boolean): void
  report(code: SecurityEvent["code"], member: Member | null, times: number): void
  close(): void
}

export function openSession(handle: ConferenceHandle): Session {
  const listening = new AbortController()
  const view = store(handle.view)
  const colours = store<Colours>(assignColours(new Map(), [], handle.view))
  const server = store(handle.server)
  const links = store(handle.links)
  const storage = store(handle.storage)
  const boardUnsent = store(false)
  const admission = store(handle.admissionState)
  const invitation = store(handle.invitation.url)
  const receiving = store<Receiving | null>(null)
  const transcript = store<readonly Entry[]>([])
  const marks = store<Marks>(new Map())
  const pending = store<readonly Pending[]>([])
  const held = store(0)
  const unread = store(0)
  const draft = store("")
  const log = store<readonly LogLine[]>([])
  const news = store<News | null>(null)
  const lost = store<readonly Member[]>([])
  const reunited = store<readonly Member[]>([])
  const following = store<Member["id"] | null>(null)
  const pictures = store(NO_PICTURES)
  const pictureTaker = store<PictureTaker | null>(null)
  const securityOpen = store(false)
  const verifying = store<Member["id"] | null>(null)
  const hiddenAlarms = store<ReadonlySet<Member["id"]>>(new Set())
  let chatVisible = false
  let nextKey = 1
  let cameInEpoch = Infinity

  const options = { signal: listening.signal }
  const chat = handle.channel("chat", { history: true })
  const marking = handle.channel(MARKS_CHANNEL, { history: true })
  /** What I have changed messages to, as messages of their own, by what they change. */
  const myChanges = new Map<string, string[]>()
  const presence = openPresence(handle, draft, listening.signal)
  const files = openFiles(
    handle,
    {
      received: (message, file) => addEntry({ kind: "file", id: message.id, message, file }),
      invalid: (message) => report("invalid-content", message.from, 1),
      hold: holdUnsent,
    },
    listening.signal,
  )

  handle.on("status", showView, options)
  handle.on("server", (next) => server.set(next), options)
  handle.on("links", (next) => links.set(next), options)
  handle.on("storage", (next) => storage.set(next), options)
  handle.on("admission", (next) => admission.set(next), options)
  handle.on("invitation", ({ url }) => invitation.set(url), options)
  handle.on("security", (event) => report(event.code, memberById(event.member), 1), options)
  handle.on(
    "view",
    (next, change) => {
      showView(next)
      cameInEpoch = Math.min(cameInEpoch, next.epoch)
      const others = comings(change, lost.get())
      log.set(appendLine(log.get(), { kind: "view", epoch: next.epoch, cause: change.cause, ...others }, Date.now()))
      followLost(next, change.lost)
      if (change.cause === "created" || Object.values(others).every((members) => members.length === 0)) return
      news.set(others)
      // Before all messages of its view, which start at sequence 0.
      const position = { epoch: next.epoch, view: next.id, sequence: -1 }
      transcript.set(insertEntry(transcript.get(), { kind: "notice", id: `view ${next.id}`, position, ...others }))
    },
    options,
  )
  chat.on("message", receive, options)
  marking.on("message", receiveMark, options)
  chat.on("erased", (messages) => transcript.set(withoutTexts(transcript.get(), new Set(messages))), options)
  const board = handle.document("board")
  board.on(
    "handedOver",
    (from) => {
      receiving.set(null)
      log.set(appendLine(log.get(), { kind: "handed-over", what: "board", from }, Date.now()))
    },
    options,
  )
  board.on(
    "progress",
    ({ from, received, count }) => {
      if (count < RECEIVING_PIECES_MIN) return
      const last = received === count - 1
      receiving.set(last ? null : { from, percent: Math.floor((100 * received) / count) })
    },
    options,
  )

  board.on("unsent", () => boardUnsent.set(true), options)

  void keepUnsent(handle.note("unsent"), draft, pending, options.signal, (text) => {
    pending.set([...pending.get(), { key: nextKey++, text, failed: "interrupted" }])
  })

  function showView(next: ConferenceView): void {
    colours.set(assignColours(colours.get(), view.get().members, next))
    view.set(next)
    if (!next.members.some(({ id }) => id === following.get())) following.set(null)
    // Whoever is gone sends no more of it.
    const from = receiving.get()?.from.id
    if (from && !next.members.some(({ id }) => id === from)) receiving.set(null)
  }

  function followLost({ members }: ConferenceView, newlyLost: readonly Member[]): void {
    const isHere = ({ id }: Member): boolean => members.some((member) => member.id === id)
    const returned = lost.get().filter(isHere)
    if (returned.length + newlyLost.length === 0) return
    lost.set([...lost.get().filter((member) => !isHere(member)), ...newlyLost])
    reunited.set(returned)
    if (returned.length > 0) log.set(appendLine(log.get(), { kind: "merged", with: returned }, Date.now()))
  }

  function receive(message: ChannelMessage): void {
    addEntry({ kind: "message", id: message.id, message })
  }

  function addEntry(entry: Exclude<Entry, { kind: "notice" }>): void {
    const { message } = entry
    const before = transcript.get()
    transcript.set(insertEntry(before, entry))
    if (transcript.get() === before || message.from.self || chatVisible) return
    // What was said before this person came is no news; what was said while they were cut off is.
    if (!message.handedOver || message.position.epoch > cameInEpoch) unread.set(unread.get() + 1)
  }

  function receiveMark(message: ChannelMessage): void {
    const mark = decodeMark(message.text)
    if (mark === null) return report("invalid-content", message.from, 1)
    if (mark.type === "edit" && message.from.self) noteChange(mark.of, message.id)
    marks.set(addMark(marks.get(), mark, message))
  }

  function noteChange(of: string, id: string): void {
    myChanges.set(of, [...new Set([...(myChanges.get(of) ?? []), id])].slice(-ERASED_CHANGES_MAX))
    const [oldest] = myChanges.keys()
    if (myChanges.size > MARKED_MESSAGES_MAX && oldest !== undefined) myChanges.delete(oldest)
  }

  async function sendMark(mark: Mark): Promise<boolean> {
    try {
      receiveMark(await marking.send(encodeMark(mark), { service: "agreed" }))
      return true
    } catch {
      return false
    }
  }

  function report(code: SecurityEvent["code"], member: Member | null, times: number): void {
    log.set(appendLine(log.get(), { kind: "event", code, member, times }, Date.now()))
  }

  function memberById(id: Member["id"] | null): Member | null {
    return view.get().members.find((member) => member.id === id) ?? null
  }

  function holdUnsent(): () => void {
    held.set(held.get() + 1)
    return () => held.set(held.get() - 1)
  }

  function replace(key: number, next: Pending | null): void {
    pending.set(pending.get().flatMap((item) => (item.key !== key ? [item] : next === null ? [] : [next])))
  }

  async function deliver(item: Pending): Promise<void> {
    try {
      receive(await chat.send(item.text, { service: "agreed" }))
      replace(item.key, null)
    } catch (error) {
      if (listening.signal.aborted) return
      replace(item.key, { ...item, failed: error instanceof KeymootError ? error.code : "internal" })
    }
  }

  return {
    handle,
    view,
    colours,
    server,
    links,
    storage,
    boardUnsent,
    admission,
    invitation,
    receiving,
    transcript,
    marks,
    presence,
    files,
    pictures,
    pictureTaker,
    pending,
    held,
    unread,
    draft,
    log,
    news,
    lost,
    reunited,
    following,
    securityOpen,
    verifying,
    hiddenAlarms,
    report,
    send(text) {
      if (pending.get().length >= PENDING_MAX) return false
      const item: Pending = { key: nextKey++, text, failed: null }
      pending.set([...pending.get(), item])
      void deliver(item)
      return true
    },
    mark: sendMark,
    async erase(message) {
      // First what takes it off the screens: the place in the conversation stays, and says so.
      if (!(await sendMark({ type: "delete", of: message }))) return false
      const changes = myChanges.get(message) ?? []
      const erasing = [chat.erase([message]), ...(changes.length > 0 ? [marking.erase(changes)] : [])]
      return (await Promise.allSettled(erasing)).every(({ status }) => status === "fulfilled")
    },
    holdUnsent,
    retry(key) {
      const item = pending.get().find((candidate) => candidate.key === key)
      if (!item || item.failed === null) return
      const again = { ...item, failed: null }
      replace(key, again)
      void deliver(again)
    },
    discard: (key) => replace(key, null),
    setChatVisible(visible) {
      chatVisible = visible
      if (visible) unread.set(0)
    },
    close: () => listening.abort(),
  }
}

/** `missed`: whose connection was lost before. */
function comings({ joined, left, lost, removed }: ViewChange, missed: readonly Member[]): Comings {
  const wasMissed = ({ id }: Member): boolean => missed.some((member) => member.id === id)
  return {
    joined: joined.filter((member) => isOther(member) && !wasMissed(member)),
    returned: joined.filter((member) => isOther(member) && wasMissed(member)),
    left: left.filter(isOther),
    lost: lost.filter(isOther),
    removed,
  }
}

function isOther(member: Member): boolean {
  return !member.self
}
