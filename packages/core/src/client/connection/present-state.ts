import type { MemberId } from "@keymoot/transport"
import type {
  AdmissionState,
  ClosedReason,
  ConferenceEvents,
  ConferenceView,
  LinkPath,
  ListenOptions,
  OtherVersion,
  ServerState,
  StorageState,
  Unsubscribe,
} from "../../api/index.ts"
import type { ConferenceEvent, ConferenceInfo } from "../../rpc/protocol.ts"
import { callSafely, Emitter } from "./emitter.ts"

/** Events about the conference itself, not about its content. */
type StateEvent = Extract<ConferenceEvent, { type: keyof ConferenceEvents | "media" }>

/**
 * Present state of the conference for this member. Late subscribers get it too, so the order of subscriptions does not
 * matter.
 */
export class PresentState {
  readonly #emitter = new Emitter<ConferenceEvents>()
  #view: ConferenceView
  #server: ServerState
  #links: ReadonlyMap<MemberId, LinkPath> = new Map()
  #otherVersions: readonly OtherVersion[] = []
  #storage: StorageState
  #invitation: { readonly url: string }
  #admission: AdmissionState
  #closed: ClosedReason | null = null

  constructor(info: ConferenceInfo) {
    this.#view = info.view
    this.#server = info.server
    this.#storage = info.storage
    this.#invitation = { url: info.url }
    this.#admission = info.admissionState
  }

  get view(): ConferenceView {
    return this.#view
  }

  get server(): ServerState {
    return this.#server
  }

  get links(): ReadonlyMap<MemberId, LinkPath> {
    return this.#links
  }

  get otherVersions(): readonly OtherVersion[] {
    return this.#otherVersions
  }

  get storage(): StorageState {
    return this.#storage
  }

  get invitation(): { readonly url: string } {
    return this.#invitation
  }

  get admission(): AdmissionState {
    return this.#admission
  }

  on<E extends keyof ConferenceEvents>(event: E, listener: ConferenceEvents[E], options?: ListenOptions): Unsubscribe {
    if (!options?.signal?.aborted) callSafely(() => this.#replay(event, listener))
    return this.#emitter.on(event, listener, options)
  }

  onEvent(event: StateEvent): void {
    switch (event.type) {
      case "status":
        this.#view = event.view
        return this.#emitter.emit("status", event.view)
      case "view":
        this.#view = event.view
        return this.#emitter.emit("view", event.view, event.change)
      case "security":
        return this.#emitter.emit("security", event.event)
      case "server":
        this.#server = event.state
        return this.#emitter.emit("server", event.state)
      case "links":
        this.#links = event.links
        return this.#emitter.emit("links", event.links)
      case "other-version":
        this.#otherVersions = event.others
        return this.#emitter.emit("other-version", event.others)
      case "storage":
        this.#storage = event.state
        return this.#emitter.emit("storage", event.state)
      case "admission":
        this.#admission = event.state
        return this.#emitter.emit("admission", event.state)
      case "invitation":
        this.#invitation = { url: event.url }
        return this.#emitter.emit("invitation", this.#invitation)
      case "closed":
        this.#closed = event.reason
        return this.#emitter.emit("closed", event.reason)
    }
  }

  #replay<E extends keyof ConferenceEvents>(event: E, listener: ConferenceEvents[E]): void {
    if (event === "status") (listener as ConferenceEvents["status"])(this.#view)
    if (event === "server") (listener as ConferenceEvents["server"])(this.#server)
    if (event === "links") (listener as ConferenceEvents["links"])(this.#links)
    if (event === "other-version") (listener as ConferenceEvents["other-version"])(this.#otherVersions)
    if (event === "storage") (listener as ConferenceEvents["storage"])(this.#storage)
    if (event === "admission") (listener as ConferenceEvents["admission"])(this.#admission)
    if (event === "invitation") (listener as ConferenceEvents["invitation"])(this.#invitation)
    if (event === "closed" && this.#closed) (listener as ConferenceEvents["closed"])(this.#closed)
    if (event === "view" && this.#view.status === "secured") {
      const change = { joined: this.#view.members, left: [], lost: [], removed: [], cause: "created" } as const
      ;(listener as ConferenceEvents["view"])(this.#view, change)
    }
  }
}
