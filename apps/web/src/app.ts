import type {
  AdmissionOptions,
  ClosedReason,
  ConferenceHandle,
  IceOptions,
  IdentityHandle,
  ScheduleOptions,
} from "@keymoot/core"
import { Conference, Identity, KeymootError } from "@keymoot/core"
import { forgetInvitation, showConferenceAddress, showInvitation, showStartAddress, takeArrival } from "./arrival.ts"
import type { Arrival } from "./arrival.ts"
import type { ConferenceOptions } from "./screens/StartOptionsFields.tsx"
import { conferenceLoaded } from "./conference/lazyConference.ts"
import { openingOf } from "./schedule/opening.ts"
import { problemOf } from "./problem.ts"
import type { Problem } from "./problem.ts"
import { remainsOf } from "./session/remains.ts"
import type { Remains } from "./session/remains.ts"
import { openSession } from "./session/session.ts"
import type { Session } from "./session/session.ts"
import { settings } from "./settings/settings.ts"
import { store } from "./store.ts"
import type { Readable } from "./store.ts"

export type Working = "creating" | "joining" | "resuming" | "leaving"

type Screen =
  /** `options` are those of the attempt that failed. */
  | { readonly kind: "start"; readonly problem: Problem | null; readonly options: ConferenceOptions | null }
  | { readonly kind: "entering"; readonly id: string; readonly url: string; readonly problem: Problem | null }
  | { readonly kind: "working"; readonly what: Working }
  /** It opens later; then this person enters. `url`: for who has just made it. */
  | { readonly kind: "early"; readonly opensAtMs: number; readonly url: string | null; readonly onEnter: () => void }
  /** `after` is what led there, still said until all of the screen has been loaded. */
  | { readonly kind: "conference"; readonly session: Session; readonly after: Working }
  /** `retry` is null where trying again cannot help. */
  | {
      readonly kind: "problem"
      readonly problem: Problem
      readonly retry: (() => void) | null
      readonly remains: Remains | null
    }

type StartOptions = { readonly name: string } & ConferenceOptions

/** What the page can do, apart from how it looks: one screen at a time and the ways between them. */
export type KeymootApp = {
  readonly screen: Readable<Screen>
  /** The name to propose: what was typed here last, else what this browser used last, once that is known. */
  readonly lastName: Readable<string>
  arrive(arrival: Arrival): void
  start(options: StartOptions): void
  join(id: string, url: string, name: string): void
  /** A link that was typed here, as if it had been followed: its sender and its rules are shown before anybody enters. */
  follow(url: string, name: string): void
  /** Comes back to a conference that this browser has not left. */
  resume(id: string): void
  leave(): void
  toStart(): void
  /** Another identity has been chosen, or renamed. */
  onIdentity(): void
}

export function openApp(arrival: Arrival): KeymootApp {
  const screen = store<Screen>({ kind: "start", problem: null, options: null })
  const lastName = store("")
  let open: { session: Session; identity: IdentityHandle } | null = null

  function arrive(arrival: Arrival): void {
    if (open !== null) return
    if (arrival.kind === "start") screen.set({ kind: "start", problem: null, options: null })
    else if (arrival.kind === "invitation")
      screen.set({ kind: "entering", id: arrival.id, url: arrival.url, problem: null })
    else void resume(arrival.id)
  }

  async function enter(name: string, what: Working, connect: (identity: IdentityHandle) => Promise<ConferenceHandle>) {
    lastName.set(name)
    screen.set({ kind: "working", what })
    const identity = await Identity.open({ name })
    try {
      const handle = await connect(identity)
      await conferenceLoaded()
      forgetInvitation(handle.id)
      showConferenceAddress(handle.id)
      const session = openSession(handle)
      open = { session, identity }
      screen.set({ kind: "conference", session, after: what })
      handle.on("closed", (reason) => void close(session, reason))
    } catch (error) {
      await identity.close()
      throw error
    }
  }

  async function resume(id: string): Promise<void> {
    try {
      screen.set({ kind: "working", what: "resuming" })
      const name = await Identity.stored()
      if (name === null) throw new KeymootError("no-invitation", "This browser has been in no conference.")
      await enter(name, "resuming", (identity) => Conference.resume({ id, identity, ice: ice() }))
    } catch (error) {
      if (isEarly(error)) return showEarly(error.opensAtMs, null, () => void resume(id))
      const problem = problemOf(error)
      screen.set({ kind: "problem", problem, retry: mayPass(problem) ? () => void resume(id) : null, remains: null })
    }
  }

  function join(id: string, url: string, name: string): void {
    enter(name, "joining", (identity) => Conference.join({ url, identity, ice: ice() })).catch((error: unknown) => {
      if (isEarly(error)) showEarly(error.opensAtMs, null, () => join(id, url, name))
      else screen.set({ kind: "entering", id, url, problem: problemOf(error) })
    })
  }

  function follow(url: string, name: string): void {
    if (name !== "") lastName.set(name)
    showInvitation(url)
    arrive(takeArrival())
  }

  function showEarly(opensAtMs: number, url: string | null, onEnter: () => void): void {
    screen.set({ kind: "early", opensAtMs, url, onEnter })
  }

  async function start({ name, ...options }: StartOptions): Promise<void> {
    const made = { server: location.origin, ...optionsOf(options) }
    const opensAtMs = openingOf(options.opensAt, options.durationMs, Date.now())
    try {
      if (typeof opensAtMs === "number") await schedule(name, { ...made, opensAtMs })
      else await enter(name, "creating", (identity) => Conference.create({ ...made, identity, ice: ice() }))
    } catch (error) {
      screen.set({ kind: "start", problem: problemOf(error), options })
    }
  }

  /** Whoever makes a conference for later has its link at once, and comes back by its address. */
  async function schedule(name: string, made: Omit<ScheduleOptions, "identity">): Promise<void> {
    lastName.set(name)
    screen.set({ kind: "working", what: "creating" })
    const identity = await Identity.open({ name })
    try {
      const { id, invitation, timeFrame } = await Conference.schedule({ ...made, identity })
      showConferenceAddress(id)
      showEarly(timeFrame.opensAtMs, invitation.url, () => void resume(id))
    } finally {
      await identity.close()
    }
  }

  async function close(session: Session, reason: ClosedReason): Promise<void> {
    if (open?.session !== session) return
    const { identity } = open
    open = null
    session.close()
    if (reason === "left") toStart()
    else
      screen.set({
        kind: "problem",
        problem: reason,
        retry: ["conference-over", "removed", "refused"].includes(reason) ? null : () => location.reload(),
        remains: remainsOf(session),
      })
    await identity.close()
  }

  async function leave(): Promise<void> {
    if (open === null) return
    const { session } = open
    screen.set({ kind: "working", what: "leaving" })
    try {
      await session.handle.leave()
    } finally {
      await close(session, "left")
    }
  }

  function toStart(): void {
    showStartAddress()
    screen.set({ kind: "start", problem: null, options: null })
  }

  function proposeName(replaced: string): void {
    Identity.stored().then(
      (name) => lastName.get() === replaced && lastName.set(name ?? ""),
      () => undefined, // Storage that cannot be read is reported when an identity is needed.
    )
  }

  proposeName("")
  arrive(arrival)

  return {
    screen,
    lastName,
    arrive,
    toStart,
    onIdentity: () => proposeName(lastName.get()),
    start: (options) => void start(options),
    join,
    follow,
    resume: (id) => void resume(id),
    leave: () => void leave().catch(() => undefined), // The farewell may fail; this member has left all the same.
  }
}

/** As the person has chosen on this device. */
function ice(): IceOptions {
  return { transportPolicy: settings.get().hideAddress ? "relay" : "all" }
}

function optionsOf({ title, history, keyAgreement, authenticity, durationMs, ...who }: ConferenceOptions) {
  return { title, history, keyAgreement, authenticity, durationMs, admission: admissionOf(who) }
}

function admissionOf({
  admission: policy,
  people,
  authority,
}: Pick<ConferenceOptions, "admission" | "people" | "authority">): AdmissionOptions {
  if (policy === "roster") return { policy, members: people.map(({ card }) => card) }
  // A form without one is not sent.
  return policy === "ca" ? { policy, authority: authority!.certificate } : { policy }
}

function isEarly(error: unknown): error is KeymootError & { readonly opensAtMs: number } {
  return error instanceof KeymootError && error.opensAtMs !== null
}

function mayPass(problem: Problem): boolean {
  return ["server-unreachable", "server-refused", "already-open", "internal", "storage-unavailable"].includes(problem)
}
