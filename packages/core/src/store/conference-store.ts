import {
  type AdmissionState,
  type ClosedReason,
  type ConferenceHandle,
  type ConferenceView,
  type IdentityHandle,
  KeymootError,
  type ListenOptions,
  type ServerState,
  type Snapshots,
  type StorageState,
  type Unsubscribe,
} from "../api/index.ts"
import { LazySnapshots } from "../client/snapshots.ts"

/** Functions that enter a conference. Each stay calls both anew. */
export type ConferenceSource = {
  /** The store closes this identity when the stay ends. */
  readonly openIdentity: () => Promise<IdentityHandle>
  /** Pass `signal` on. It aborts when the last subscriber has gone. */
  readonly enter: (identity: IdentityHandle, signal: AbortSignal) => Promise<ConferenceHandle>
}

/** State of this member in the conference, distinguished by `status`. */
export type ConferenceState =
  /** There is no subscriber. */
  | { readonly status: "idle" }
  | { readonly status: "entering" }
  /** `error.code` is the reason. A new store retries. */
  | { readonly status: "failed"; readonly error: KeymootError }
  | {
      readonly status: "open"
      readonly conference: ConferenceHandle
      readonly view: ConferenceView
      readonly server: ServerState
      readonly links: ConferenceHandle["links"]
      readonly storage: StorageState
      readonly admissionState: AdmissionState
      readonly invitation: { readonly url: string }
    }
  /** The conference is over for this member. Its messages can still be read. */
  | { readonly status: "closed"; readonly conference: ConferenceHandle; readonly reason: ClosedReason }

/**
 * A conference that this member is in while there are subscribers. The first subscriber enters. After the last one has
 * unsubscribed, this member says goodbye, and its identity is closed. Unsubscribing and subscribing in one turn, as
 * React's StrictMode does, changes nothing. The invitation stays stored; `conference.leave()` deletes it.
 */
export type ConferenceStore = Snapshots<ConferenceState>

/**
 * Makes the store of one conference, and enters nothing yet.
 *
 * @example
 * const store = createConferenceStore({
 *   openIdentity: () => Identity.open({ name: "Ada" }),
 *   enter: (identity, signal) => Conference.join({ url, identity, signal }),
 * })
 * const unsubscribe = store.subscribe(() => console.log(store.getSnapshot().status))
 */
export function createConferenceStore(source: ConferenceSource): ConferenceStore {
  return new SubscribedConference(source)
}

const IDLE = { status: "idle" } as const
const ENTERING = { status: "entering" } as const
/** Events that change an open state. */
const EVENTS = ["status", "view", "server", "links", "storage", "admission", "invitation"] as const

class SubscribedConference implements ConferenceStore {
  readonly #source: ConferenceSource
  #state: ConferenceState = IDLE
  readonly #snapshots = new LazySnapshots(() => this.#state)
  #subscribers = 0
  #stay: AbortController | null = null
  /** Settles when the last stay has ended. Its engine holds the conference until then. */
  #over: Promise<void> = Promise.resolve()

  constructor(source: ConferenceSource) {
    this.#source = source
  }

  readonly getSnapshot = this.#snapshots.getSnapshot

  readonly subscribe = (listener: () => void, { signal }: ListenOptions = {}): Unsubscribe => {
    if (signal?.aborted) return () => undefined
    const off = this.#snapshots.subscribe(listener)
    this.#subscribers++
    this.#enter()
    let subscribed = true
    const unsubscribe = (): void => {
      if (!subscribed) return
      subscribed = false
      off()
      signal?.removeEventListener("abort", unsubscribe)
      this.#subscribers--
      queueMicrotask(() => this.#subscribers === 0 && this.#leave())
    }
    signal?.addEventListener("abort", unsubscribe)
    return unsubscribe
  }

  #enter(): void {
    if (this.#stay) return
    const { signal } = (this.#stay = new AbortController())
    this.#set(ENTERING)
    this.#over = this.#over
      .then(() => this.#beThere(signal))
      .catch((error: unknown) => {
        if (!signal.aborted) this.#set({ status: "failed", error: asKeymootError(error) })
      })
  }

  #leave(): void {
    this.#stay?.abort()
    this.#stay = null
    this.#set(IDLE)
  }

  async #beThere(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const identity = await this.#source.openIdentity()
    try {
      if (signal.aborted) return
      const conference = await this.#source.enter(identity, signal)
      this.#follow(conference, signal)
      await abortOf(signal)
      await conference.leave({ forget: false })
    } finally {
      await identity.close()
    }
  }

  #follow(conference: ConferenceHandle, signal: AbortSignal): void {
    const update = (): void => {
      const { view, server, links, storage, admissionState, invitation } = conference
      this.#set({ status: "open", conference, view, server, links, storage, admissionState, invitation })
    }
    for (const event of EVENTS) conference.on(event, update, { signal })
    conference.on("closed", (reason) => this.#set({ status: "closed", conference, reason }), { signal })
  }

  #set(state: ConferenceState): void {
    this.#state = state
    this.#snapshots.changed()
  }
}

function abortOf(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null)
    else signal.addEventListener("abort", resolve, { once: true })
  })
}

/** Compares names, because the package's entry for pages without a bundler has another class. */
function asKeymootError(error: unknown): KeymootError {
  if (error instanceof Error && error.name === "KeymootError") return error as KeymootError
  return new KeymootError("internal", `Entering failed: ${String(error)}`, { cause: error })
}
