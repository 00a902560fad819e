import type {
  ClosedReason,
  ConferenceHandle,
  DirectoryHandle,
  IceOptions,
  IdentityHandle,
  ScheduleOptions,
} from "@keymoot/core"
import { Conference, Identity, KeymootError } from "@keymoot/core"
import { forgetInvitation, showConferenceAddress, showStartAddress, takeTyped } from "./arrival.ts"
import type { Arrival, InvitationArrival } from "./arrival.ts"
import type { Screen, Working } from "./screens/screen.ts"
import type { ConferenceOptions } from "./screens/StartOptionsFields.tsx"
import type { Invited } from "./invite/invitation.ts"
import { successorOf } from "./board/moving/successor.ts"
import { conferenceLoaded, prefetchConference } from "./conference/lazyConference.ts"
import { howEnded } from "./ending/howEnded.ts"
import { directoryLoaded } from "./directory/LazyDirectory.tsx"
import { openingOf } from "./schedule/opening.ts"
import { wantedOf } from "./schedule/wanted.ts"
import { mayPass, problemOf } from "./problem.ts"
import { remainsOf } from "./session/remains.ts"
import { type OpenTabs, unlessOpenElsewhere, watchOpenTabs } from "./session/openTabs.ts"
import type { Session } from "./session/session.ts"
import { settings } from "./settings/settings.ts"
import { type Readable, store } from "./store.ts"
import { whenIdle } from "./ui/whenIdle.ts"

/** Without a key the chat waits. Then the person stays, and the dialog says so. */
const TOLD_WITHIN_MS = 10_000

/** `id`: of the identity; by default the chosen one. */
type EnteredAs = { readonly name: string; readonly id?: string }
type StartOptions = { readonly name: string } & ConferenceOptions

/** The page's state machine, independent of its look: one screen at a time and the transitions between them. */
export type KeymootApp = {
  readonly screen: Readable<Screen>
  /** The name to propose: the one typed here last, else the one this browser used last. Null until that is loaded. */
  readonly lastName: Readable<string | null>
  /** The board for a conference that continues with it, until that is entered. A reload loses it. */
  readonly brought: Readable<{ readonly id: string; readonly board: string } | null>
  arrive(arrival: Arrival): void
  start(options: StartOptions): void
  join(arrival: InvitationArrival, name: string): void
  /** Opens a typed link as if it had been followed: the page shows its sender and its rules before anybody enters. */
  follow(url: string, name: string): void
  /** Returns to a conference that this browser has not left. */
  resume(id: string): void
  leave(): void
  /** Closes the copy of a conference that is over, and keeps it. */
  closeCopy(): void
  /** Enters the conference of the open copy. After its end, because a host may have extended it. */
  enterLate(): void
  toStart(): void
  /** The person chose another identity, or renamed it. */
  onIdentity(): void
}

export function openApp(arrival: Arrival): KeymootApp {
  const screen = store<Screen>({ kind: "start", problem: null, options: null })
  const lastName = store<string | null>(null)
  let open: { session: Session; identity: IdentityHandle; tabs: OpenTabs } | null = null
  const brought = store<ReturnType<KeymootApp["brought"]["get"]>>(null)

  function arrive(arrival: Arrival): void {
    if (open !== null) {
      const { handle, admission } = open.session
      // Pasted where its conference is open: the secret has done its work. While this person waits, and in a copy, it
      // may be newer.
      const isInside = !handle.copyOnly && !admission.get().waiting
      if (arrival.kind === "invitation" && isInside) forgetInvitation(arrival.id)
      return
    }
    if (arrival.kind === "start") screen.set({ kind: "start", problem: null, options: null })
    else if (arrival.kind === "nowhere") screen.set({ kind: "nowhere" })
    else if (arrival.kind === "invitation") screen.set({ kind: "entering", arrival, problem: null })
    else void resume(arrival.id)
  }

  /** Returns as whom this person was in the conference. A name that another conference knows stays there. */
  async function formerly(id: string): Promise<EnteredAs | null> {
    const as = await Identity.enteredAs(id)
    if (as !== null) return as
    const name = await Identity.stored()
    return name === null ? null : { name }
  }

  /** @param id null for a new conference */
  async function enter(
    as: string | EnteredAs,
    what: Working,
    id: string | null,
    connect: (identity: IdentityHandle) => Promise<ConferenceHandle>,
  ) {
    const who = typeof as === "string" ? { name: as } : as
    // The name of an earlier conference stays there.
    if (typeof as === "string") lastName.set(as)
    screen.set({ kind: "working", what })
    const identity = await Identity.open(who)
    let tabs: OpenTabs | null = id === null ? null : watchOpenTabs(identity.member, id)
    try {
      const handle = await unlessOpenElsewhere(connect(identity), tabs)
      const { openSession } = await conferenceLoaded()
      forgetInvitation(handle.id)
      showConferenceAddress(handle.id)
      const session = openSession(handle, what === "creating")
      tabs ??= watchOpenTabs(identity.member, handle.id)
      tabs.opened()
      open = { session, identity, tabs }
      session.renameTo.subscribe(() => void reenter(false, session.renameTo.get()))
      session.moveOn.set(moveOn)
      if (brought.get()?.id === handle.id) session.broughtBoard.set(brought.get()!.board)
      brought.set(null)
      screen.set({ kind: "conference", session, after: what })
      handle.on("closed", (reason) => void close(session, reason))
    } catch (error) {
      tabs?.close()
      await identity.close()
      throw error
    }
  }

  /** @param newName under which the person returns */
  async function resume(id: string, late = false, newName: string | null = null): Promise<void> {
    const again = () => void resume(id, late, newName)
    try {
      screen.set({ kind: "working", what: "resuming" })
      const as = await formerly(id)
      if (as === null) throw new KeymootError("no-invitation", "This browser has been in no conference.")
      const who = newName === null ? as : { ...as, name: newName }
      await enter(who, "resuming", id, (identity) => Conference.resume({ id, identity, late, ice: ice() }))
      open?.session.late.set(late && isOver())
    } catch (error) {
      if (isEarly(error)) return showEarly(error.opensAtMs, await scheduledHere(id), again)
      const problem = problemOf(error)
      if (problem === "conference-over" && (await openKept(id))) return
      const retry = mayPass(problem) ? again : null
      const hasCopy = problem === "server-unreachable" && (await keptHere(id)) !== null
      const openCopy = hasCopy ? showCopy : null
      const failed: Screen = { kind: "problem", problem, retry, openCopy, remains: null, reason: null }
      function showCopy(): void {
        screen.set({ kind: "working", what: "resuming" })
        void openKept(id).then((isOpen) => isOpen || screen.set(failed))
      }
      screen.set(failed)
    }
  }

  /** Returns what this device keeps of a conference, unless it keeps the link only. */
  async function keptHere(id: string) {
    const kept = (await Conference.kept().catch(() => [])).find((one) => one.id === id)
    return kept?.about ? { ...kept, ...kept.about } : null
  }

  /** Returns the invitation to a conference that this device has scheduled. */
  async function scheduledHere(id: string): Promise<Invited | null> {
    const kept = await keptHere(id)
    if (kept === null) return null
    const { title, timeFrame } = kept
    const { opensAtMs, endsAtMs } = timeFrame
    return { id, title, url: kept.invitation.url, opensAtMs, endsAtMs, policy: null }
  }

  /** Shows this device's copy. Returns false if there is none. */
  async function openKept(id: string): Promise<boolean> {
    try {
      const as = (await formerly(id)) ?? ""
      await enter(as, "resuming", id, (identity) => Conference.openKept({ id, identity }))
      return true
    } catch {
      return false
    }
  }

  function join(arrival: InvitationArrival, name: string): void {
    const { id, url } = arrival
    enter(name, "joining", id, (identity) => Conference.join({ url, identity, ice: ice() })).catch((error: unknown) => {
      if (isEarly(error)) showEarly(error.opensAtMs, null, () => join(arrival, name))
      else screen.set({ kind: "entering", arrival, problem: problemOf(error) })
    })
  }

  function follow(url: string, name: string): void {
    if (name !== "") lastName.set(name)
    arrive(takeTyped(url))
  }

  function showEarly(opensAtMs: number, invited: Invited | null, onEnter: () => void): void {
    screen.set({ kind: "early", opensAtMs, invited, onEnter })
  }

  async function start({ name, ...options }: StartOptions): Promise<void> {
    const made = { server: location.origin, ...wantedOf(options) }
    const opensAtMs = openingOf(options.opensAt, options.durationMs, Date.now())
    try {
      const isListed = options.listed && options.admission === "roster"
      if (isListed) await createListed(name, { ...made, ...(typeof opensAtMs === "number" && { opensAtMs }) })
      else if (typeof opensAtMs === "number") await schedule(name, { ...made, opensAtMs })
      else await enter(name, "creating", null, (identity) => Conference.create({ ...made, identity, ice: ice() }))
    } catch (error) {
      screen.set({ kind: "start", problem: problemOf(error), options })
    }
  }

  /** The directory creates it without entering it. */
  async function createListed(name: string, made: Parameters<DirectoryHandle["create"]>[0]): Promise<void> {
    lastName.set(name)
    screen.set({ kind: "working", what: "creating" })
    const { title = "", opensAtMs } = made
    const withDirectory = await directoryLoaded()
    const { id, invitation, timeFrame } = await withDirectory(await Identity.open({ name }), (directory) =>
      directory.create(made),
    )
    if (opensAtMs === undefined) {
      return enter(name, "creating", id, (identity) => Conference.resume({ id, identity, ice: ice() }))
    }
    showConferenceAddress(id)
    const { endsAtMs } = timeFrame
    const invited = { id, title, url: invitation.url, opensAtMs, endsAtMs, policy: "roster" } as const
    showEarly(opensAtMs, invited, () => void resume(id))
  }

  /** The creator of a later conference gets its link at once, and returns by its address. */
  async function schedule(name: string, made: Omit<ScheduleOptions, "identity">): Promise<void> {
    lastName.set(name)
    screen.set({ kind: "working", what: "creating" })
    const identity = await Identity.open({ name })
    try {
      const { id, invitation, timeFrame } = await Conference.schedule({ ...made, identity })
      showConferenceAddress(id)
      const { opensAtMs, endsAtMs } = timeFrame
      const { title = "", admission = { policy: "link" } } = made
      const invited = { id, title, url: invitation.url, opensAtMs, endsAtMs, policy: admission.policy }
      showEarly(opensAtMs, invited, () => void resume(id))
    } finally {
      await identity.close()
    }
  }

  async function close(session: Session, reason: ClosedReason): Promise<void> {
    if (open?.session !== session) return
    const { identity, tabs } = open
    open = null
    tabs.close()
    session.close()
    if (reason === "left") toStart()
    else
      screen.set({
        kind: "problem",
        problem: reason,
        retry: ["removed", "refused"].includes(reason) ? null : () => location.reload(),
        remains: remainsOf(session),
        storage: session.handle.storage,
        reason: reason === "refused" ? lastOfHost(session) : null,
        ended: reason === "conference-over" ? howEnded(session.handle, session.late.get()) : null,
      })
    await identity.close()
  }

  async function leave(forget: boolean): Promise<void> {
    if (open === null) return
    const { session } = open
    // Its controls go with the screen, while the farewell may take seconds.
    session.call.leave()
    screen.set({ kind: "working", what: "leaving" })
    // The farewell may fail; this member has left all the same.
    const problem = await session.handle.leave({ forget }).then(() => null, problemOf)
    await close(session, "left")
    const isKept = problem === "storage-unavailable" || session.handle.storage === "failing"
    if (forget && isKept && screen.get().kind === "start")
      screen.set({ kind: "start", problem: "not-deleted", options: null })
  }

  async function moveOn(message: ((url: string) => string) | null): Promise<void> {
    if (open === null) return
    const { session, identity } = open
    const board = session.boardWriter.get()()
    const made = { server: location.origin, ...successorOf(session.handle, Date.now()), identity }
    const { id, invitation } = await Conference.schedule(made)
    if (message !== null) {
      const signal = AbortSignal.timeout(TOLD_WITHIN_MS)
      await session.handle.channel("chat", { history: true }).send(message(invitation.url), { signal })
    }
    if (board !== null) brought.set({ id, board })
    await leave(false)
    await resume(id)
  }

  async function reenter(late: boolean, name: string | null = null): Promise<void> {
    if (open === null) return
    const { id } = open.session.handle
    await leave(false)
    showConferenceAddress(id) // A reload returns if this attempt fails.
    await resume(id, late, name)
  }

  /** Whether the time of the open conference is up, as far as this device knows. */
  function isOver(): boolean {
    return open !== null && open.session.handle.timeFrame.endsAtMs <= Date.now()
  }

  function toStart(): void {
    showStartAddress()
    screen.set({ kind: "start", problem: null, options: null })
  }

  function proposeName(replaced: string | null): Promise<unknown> {
    return Identity.stored().then(
      (name) => lastName.get() === replaced && lastName.set(name ?? ""),
      () => undefined, // Storage that cannot be read is reported when an identity is needed.
    )
  }

  arrive(arrival)
  // The engine is larger than the page: the form is there before it loads, and a room while a name is typed.
  whenIdle(async () => {
    await proposeName(null)
    if (arrival.kind === "start") whenIdle(() => void prefetchConference())
  })

  return {
    screen,
    lastName,
    brought,
    arrive,
    toStart,
    onIdentity: () => void proposeName(lastName.get()),
    start: (options) => void start(options),
    join,
    follow,
    resume: (id) => void resume(id),
    leave: () => void leave(true),
    enterLate: () => void reenter(isOver()),
    closeCopy: () => void leave(false),
  }
}

/** As chosen on this device. */
function ice(): IceOptions {
  return { transportPolicy: settings.get().hideAddress ? "relay" : "all" }
}

function lastOfHost({ handle }: Session): string | null {
  return handle.admissionState.messages.findLast(({ byHost }) => byHost)?.text ?? null
}

function isEarly(error: unknown): error is KeymootError & { readonly opensAtMs: number } {
  return error instanceof KeymootError && error.opensAtMs !== null
}
