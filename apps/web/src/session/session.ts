import type {
  AdmissionState,
  ChannelMessage,
  ConferenceHandle,
  ConferenceView,
  LinkPath,
  Member,
  SecurityEvent,
  ServerState,
  StorageState,
} from "@keymoot/core"
import type { Readable, Store } from "../store.ts"
import { store } from "../store.ts"
import { openBoardNews } from "./boardNews.ts"
import type { BoardNews } from "./boardNews.ts"
import { openConversation } from "./conversation.ts"
import type { Conversation } from "./conversation.ts"
import { openFiles } from "./files.ts"
import type { SessionFiles } from "./files.ts"
import { openLog } from "./log.ts"
import type { LogLine } from "./log.ts"
import { openMarking } from "./marking.ts"
import type { Marking } from "./marking.ts"
import { openPeople } from "./people.ts"
import type { SessionPeople } from "./people.ts"
import { openPresence } from "./presence.ts"
import type { Presence } from "./presence.ts"
import { openSending } from "./sending.ts"
import type { Sending } from "./sending.ts"

/** How this member is connected, and what the device keeps. */
type Circumstances = {
  readonly server: Readable<ServerState>
  readonly links: Readable<ReadonlyMap<Member["id"], LinkPath>>
  readonly storage: Readable<StorageState>
  readonly admission: Readable<AdmissionState>
  /** The present link. */
  readonly invitation: Readable<string>
}

/** What the person has open, or has put away, on this screen. */
type Attention = {
  /** Whose part of the board is shown here. */
  readonly following: Store<Member["id"] | null>
  readonly securityOpen: Store<boolean>
  /** With whom codes are being compared. */
  readonly verifying: Store<Member["id"] | null>
  /** Of which changed keys the person wants to hear no more; their rows go on to say it. */
  readonly hiddenAlarms: Store<ReadonlySet<Member["id"]>>
}

type Held = {
  /** Forms that hold something which is neither sent nor kept. */
  readonly held: Readable<number>
  /** A form holds what would be lost; returns the release. */
  holdUnsent(): () => void
}

/** A conference as the screens follow it: the handle's events gathered into values that can be read at any time. */
export type Session = Circumstances &
  SessionPeople &
  Pick<Conversation, "transcript" | "unread" | "setChatVisible"> &
  Marking &
  Sending &
  BoardNews &
  Attention &
  Held & {
    readonly handle: ConferenceHandle
    readonly presence: Presence
    readonly files: SessionFiles
    readonly log: Readable<readonly LogLine[]>
    report(code: SecurityEvent["code"], member: Member | null, times: number): void
    close(): void
  }

export function openSession(handle: ConferenceHandle): Session {
  const listening = new AbortController()
  const { signal } = listening
  const log = openLog()
  const report: Session["report"] = (code, member, times) => log.append({ kind: "event", code, member, times })
  const circumstances = openCircumstances(handle, signal)
  const conversation = openConversation(handle, signal)
  const people = openPeople(handle, log, conversation.add, signal)
  const attention = openAttention(people.view)
  const held = openHeld()
  const chat = handle.channel("chat", { history: true })
  const receive = (message: ChannelMessage): void => conversation.add({ kind: "message", id: message.id, message })
  const sending = openSending(handle, chat, receive, signal)
  const presence = openPresence(handle, sending.draft, signal)
  const files = openFiles(
    handle,
    {
      received: (message, file) => conversation.add({ kind: "file", id: message.id, message, file }),
      invalid: (message) => report("invalid-content", message.from, 1),
      find: conversation.find,
      erased: conversation.erased,
      hold: held.holdUnsent,
    },
    signal,
  )
  const marking = openMarking(
    handle,
    {
      channelOf: (message) => (conversation.find(message)?.kind === "file" ? files : chat),
      invalid: (mark) => report("invalid-content", mark.from, 1),
      hold: held.holdUnsent,
    },
    signal,
  )

  const memberById = (id: Member["id"] | null): Member | null =>
    people.view.get().members.find((member) => member.id === id) ?? null
  handle.on("security", ({ code, member }) => report(code, memberById(member), 1), { signal })
  chat.on("message", receive, { signal })
  chat.on("erased", conversation.erased, { signal })

  return {
    handle,
    ...circumstances,
    ...people,
    ...conversation,
    ...marking,
    ...sending,
    ...openBoardNews(handle, people.view, log, signal),
    ...attention,
    ...held,
    presence,
    files,
    log: log.lines,
    report,
    close: () => listening.abort(),
  }
}

function openCircumstances(handle: ConferenceHandle, signal: AbortSignal): Circumstances {
  const server = store(handle.server)
  const links = store(handle.links)
  const storage = store(handle.storage)
  const admission = store(handle.admissionState)
  const invitation = store(handle.invitation.url)
  handle.on("server", (next) => server.set(next), { signal })
  handle.on("links", (next) => links.set(next), { signal })
  handle.on("storage", (next) => storage.set(next), { signal })
  handle.on("admission", (next) => admission.set(next), { signal })
  handle.on("invitation", ({ url }) => invitation.set(url), { signal })
  return { server, links, storage, admission, invitation }
}

function openAttention(view: Readable<ConferenceView>): Attention {
  const following = store<Member["id"] | null>(null)
  view.subscribe(() => {
    if (!view.get().members.some(({ id }) => id === following.get())) following.set(null)
  })
  return {
    following,
    securityOpen: store(false),
    verifying: store<Member["id"] | null>(null),
    hiddenAlarms: store<ReadonlySet<Member["id"]>>(new Set()),
  }
}

function openHeld(): Held {
  const held = store(0)
  return {
    held,
    holdUnsent() {
      held.set(held.get() + 1)
      return () => held.set(held.get() - 1)
    },
  }
}
