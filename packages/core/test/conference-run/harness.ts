import { formatEntry, TraceSink } from "@keymoot/transport"
import { LoopbackNetwork } from "@keymoot/transport/testing"
import { afterEach } from "vitest"
import { Conference } from "../../src/client/conference.ts"
import type { Identity } from "../../src/client/identity.ts"
import { createMemoryStore } from "../../src/identity/memory-store.ts"
import type { IdentityStore } from "../../src/identity/store.ts"
import { openInProcess } from "../../src/node/open-identity.ts"
import type { OwnModules } from "../../src/runtime/own-modules.ts"

export { received, securedWith } from "./waiting.ts"

export const SERVER = "http://localhost:1"

/** Trace of all engines of one test file. A failing test prints its own part. */
export const traceSink: TraceSink = new TraceSink().set("debug")
const PRINTED_MAX = 200

afterEach(({ task }) => {
  if (task.result?.state !== "fail") return
  const sinceMs = task.result.startTime ?? 0
  const entries = traceSink.trace.entries.filter(({ atMs }) => atMs >= sinceMs).slice(-PRINTED_MAX)
  if (entries.length === 0) return
  console.error([`Trace of "${task.name}":`, ...entries.map((entry) => formatEntry(entry))].join("\n"))
})

/** Whole engines over in-memory connections: everything is real but WebRTC and the server. */
export class Room {
  readonly network = new LoopbackNetwork({ schedule: (task) => void setImmediate(task) })
  readonly #identities: Identity[] = []
  readonly #meshMax: number | undefined
  /** Own modules of the engines that start from now on. */
  modules: OwnModules = {}

  /** `meshMax`: up to so many have a link with everybody; 24 unless given. */
  constructor(meshMax?: number) {
    this.#meshMax = meshMax
  }

  async identity(name: string, store: IdentityStore = createMemoryStore(), host = name): Promise<Identity> {
    const identity = await this.openIdentity(name, store, host)
    this.#identities.push(identity)
    return identity
  }

  /** Not closed, nor kept, by the room. */
  openIdentity(name: string, store: IdentityStore = createMemoryStore(), host = name): Promise<Identity> {
    const options = { meshMax: this.#meshMax, modules: this.modules, traceSink }
    return openInProcess(name, store, this.network.createHost(host), options)
  }

  async create(name: string, options: Partial<Parameters<typeof Conference.create>[0]> = {}): Promise<Conference> {
    return Conference.create({ server: SERVER, identity: await this.identity(name), ...options })
  }

  async join(name: string, url: string): Promise<Conference> {
    return Conference.join({ url, identity: await this.identity(name) })
  }

  async close(): Promise<void> {
    for (const identity of this.#identities) await identity.close()
  }
}
