import type {
  AdmissionState,
  ChannelMessage,
  ConferenceHandle,
  ConferenceView,
  LinkPath,
  Member,
  OtherVersion,
  SecurityEvent,
  ServerState,
  StorageState,
} from "@keymoot/core"
import { type Bringing, openBringing } from "../board/showing/bring.ts"
import { isMentioned } from "../chat/mentions/mentions.ts"
import { openLate } from "../ending/late.ts"
import { settings } from "../settings/settings.ts"
import { type Readable, store, type Store } from "../store.ts"
import { type BoardNews, openBoardNews } from "./boardNews.ts"
import { openCall, type SessionCall } from "./call.ts"
import { type Conversation, openConversation } from "./conversation.ts"
import { openFiles, type SessionFiles } from "./files.ts"
import { type LogLine, openLog } from "./log.ts"
import { type Marking, openMarking } from "./marking.ts"
import { MESSAGE_LENGTH_MAX } from "./marks.ts"
import { openPeople, type SessionPeople } from "./people.ts"
import { openPresence, type Presence } from "./presence.ts"
import { decodeReply } from "./reply.ts"
import { openPolls, type SessionPolls } from "../tools/votes/openPolls.ts"
import { openTimer, type SessionTimer } from "../tools/timer/openTimer.ts"
import { openSending, type Sending } from "./sending.ts"
import { openViewerReactions, type Watching } from "./room/viewerReactions.ts"

/** This member's path, and the state of its local copy. */
type Circumstances = {
  readonly server: Readable<ServerState>
  readonly links: Readable<ReadonlyMap<Member["id"], LinkPath>>
  readonly otherVersions: Readable<readonly OtherVersion[]>
  readonly storage: Readable<StorageState>
  readonly admission: Readable<AdmissionState>
  /** See `openLate`. */
  readonly late: Store<boolean>
  /** The current link. */
  readonly invitation: Readable<string>
}

/** `message`: what the chat here says about the new link; null to tell nobody. Rejects if the person stays here. */
type MoveOn = (message: ((url: string) => string) | null) => Promise<void>

/** The parts of this screen that the person has opened or hidden. */
type Attention = {
  /** The person whose part of the board is shown here. */
  readonly following: Store<Member["id"] | null>
  readonly slidesOpen: Store<boolean>
  readonly securityOpen: Store<boolean>
  readonly diagnosticsOpen: Store<boolean>
  /** The person with whom codes are being compared. */
  readonly verifying: Store<Member["id"] | null>
  /** Earlier authors with a known name and another key. */
  readonly falseAuthors: Store<readonly Member[]>
  /** Changed keys whose warning the person has hidden; their rows still show it. */
  readonly hiddenAlarms: Store<ReadonlySet<Member["id"]>>
  /** Unsent texts of this host to waiting people, by their ids. */
  readonly lobbyDrafts: Store<ReadonlyMap<string, string>>
  /** The message to show: the chat opens, scrolls to it and sets null. */
  readonly jumpTo: Store<string | null>
  /** The drawer shows this panel, and sets null. */
  readonly panelWanted: Store<"people" | "tools" | null>
  /** The name under which this person wants to return; null for the present one. */
  readonly renameTo: Store<string | null>
  /** Continues in a new conference, with the board. Null while the page cannot. See `MoveOn`. */
  readonly moveOn: Store<MoveOn | null>
  /** A board as a file, brought from another conference; the board here adds it and sets null. */
  readonly broughtBoard: Store<string | null>
}

type Held = {
  /** Forms with content that is neither sent nor stored. */
  readonly held: Readable<number>
  /** Marks a form whose content would be lost; returns the release. */
  holdUnsent(): () => void
}

/** A conference for the screens: the handle's events as values that can be read at any time. */
export type Session = Circumstances &
  SessionPeople &
  Pick<
    Conversation,
    "transcript" | "shownTranscript" | "incomplete" | "unread" | "mentions" | "find" | "isFromBefore" | "setChatVisible"
  > &
  Marking &
  Pick<Watching, "viewerReactions"> &
  Sending &
  BoardNews &
  Attention &
  Bringing &
  SessionPolls &
  SessionTimer &
  Held & {
    readonly handle: ConferenceHandle
    readonly presence: Presence
    readonly files: SessionFiles
    readonly call: SessionCall
    readonly log: Readable<readonly LogLine[]>
    report(code: SecurityEvent["code"], member: Member | null, times: number): void
    close(): void
  }

/** @param created whether this page has just created the conference */
export function openSession(handle: ConferenceHandle, created: boolean): Session {
  const listening = new AbortController()
  const { signal } = listening
  const log = openLog()
  const report: Session["report"] = (code, member, times) => log.append({ kind: "event", code, member, times })
  const circumstances = openCircumstances(handle, signal)
  const conversation = openConversation(handle, signal)
  const people = openPeople(handle, log, conversation.add, conversation.latest, created, signal)
  const attention = openAttention(people.view)
  const held = openHeld()
  const chat = handle.channel("chat", { history: true })
  const mentionsMe = (text: string, to: string | null): boolean => {
    const answered = to === null ? undefined : conversation.find(to)
    if (answered !== undefined && answered.kind !== "notice" && answered.message.from.self) return true
    const { members } = people.view.get()
    const self = members.find((member) => member.self)
    return self !== undefined && isMentioned(text, self, members)
  }
  const receive = (message: ChannelMessage): void => {
    // The composer limits its text to this, and the layout of a longer one is slow.
    const { to, text } = decodeReply(message.text)
    if (text.length > MESSAGE_LENGTH_MAX) return report("invalid-content", message.from, 1)
    const { id } = message
    if (to === null) return conversation.add({ kind: "message", id, message }, mentionsMe(text, null))
    conversation.add({ kind: "message", id, message: { ...message, text }, replyTo: to }, mentionsMe(text, to))
  }
  const sending = openSending(handle, chat, people.shownMembers, receive, signal)
  const presence = openPresence(handle, sending.draft, signal)
  const files = openFiles(
    handle,
    {
      received: (message, file) => conversation.add({ kind: "file", id: message.id, message, file }),
      invalid: (message) => report("invalid-content", message.from, 1),
      fetchesSmall: () => settings.get().fetchSmallFiles,
      shownMembers: people.shownMembers,
      find: conversation.find,
      erased: conversation.erased,
      hold: held.holdUnsent,
    },
    signal,
  )
  const watching = openViewerReactions(handle, signal)
  const marking = openMarking(
    handle,
    {
      transcript: conversation.transcript,
      channelOf: (message) => (conversation.find(message)?.kind === "file" ? files : chat),
      invalid: (mark) => report("invalid-content", mark.from, 1),
      shownMembers: people.shownMembers,
      hold: held.holdUnsent,
    },
    signal,
  )

  const memberById = (id: Member["id"] | null): Member | null =>
    people.view.get().members.find((member) => member.id === id) ?? null
  const authorById = (id: Member["id"] | null): Member | null => {
    const written = conversation.transcript
      .get()
      .find((entry) => entry.kind !== "notice" && entry.message.from.id === id)
    return written && written.kind !== "notice" ? written.message.from : null
  }
  handle.on(
    "security",
    ({ code, member }) => {
      const author = code === "changed-key" && !memberById(member) ? authorById(member) : null
      const told = attention.falseAuthors.get()
      if (author && !told.some(({ id }) => id === author.id)) attention.falseAuthors.set([...told, author])
      report(code, author ?? memberById(member), 1)
    },
    { signal },
  )
  chat.on("message", receive, { signal })
  chat.on("erased", conversation.erased, { signal })

  return {
    handle,
    ...circumstances,
    ...people,
    ...conversation,
    ...marking,
    viewerReactions: watching.viewerReactions,
    async mark(mark) {
      const isViewer = memberById(handle.self.id)?.role === "viewer"
      if (mark.type !== "reaction" || !isViewer) return marking.mark(mark)
      watching.reactAsViewer(mark.of, mark.emoji, mark.on)
      return true
    },
    ...sending,
    ...openBoardNews(handle, people.view, log, signal),
    ...attention,
    ...openBringing(handle, attention.following, () => performance.now(), signal),
    ...openPolls(handle, (message) => report("invalid-content", message.from, 1), held.holdUnsent, signal),
    ...openTimer(handle, () => Date.now(), signal),
    ...held,
    presence,
    files,
    call: openCall(handle, signal),
    log: log.lines,
    report,
    close: () => listening.abort(),
  }
}

function openCircumstances(handle: ConferenceHandle, signal: AbortSignal): Circumstances {
  const server = store(handle.server)
  const links = store(handle.links)
  const otherVersions = store(handle.otherVersions)
  const storage = store(handle.storage)
  const admission = store(handle.admissionState)
  const invitation = store(handle.invitation.url)
  handle.on("server", (next) => server.set(next), { signal })
  handle.on("links", (next) => links.set(next), { signal })
  handle.on("other-version", (next) => otherVersions.set(next), { signal })
  handle.on("storage", (next) => storage.set(next), { signal })
  handle.on("admission", (next) => admission.set(next), { signal })
  handle.on("invitation", ({ url }) => invitation.set(url), { signal })
  return { server, links, otherVersions, storage, admission, late: openLate(handle, signal), invitation }
}

function openAttention(view: Readable<ConferenceView>): Attention {
  const following = store<Member["id"] | null>(null)
  view.subscribe(() => {
    if (!view.get().members.some(({ id }) => id === following.get())) following.set(null)
  })
  return {
    following,
    slidesOpen: store(false),
    securityOpen: store(false),
    diagnosticsOpen: store(false),
    verifying: store<Member["id"] | null>(null),
    falseAuthors: store<readonly Member[]>([]),
    hiddenAlarms: store<ReadonlySet<Member["id"]>>(new Set()),
    lobbyDrafts: store<ReadonlyMap<string, string>>(new Map()),
    jumpTo: store<string | null>(null),
    panelWanted: store<"people" | "tools" | null>(null),
    renameTo: store<string | null>(null),
    moveOn: store<MoveOn | null>(null),
    broughtBoard: store<string | null>(null),
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
