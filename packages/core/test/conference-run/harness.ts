import { LoopbackNetwork } from "@keymoot/transport/testing"
import type { ChannelMessage, ConferenceView } from "../../src/api.ts"
import { Conference } from "../../src/client/conference.ts"
import type { Identity } from "../../src/client/identity.ts"
import { createMemoryStore, type IdentityStore } from "../../src/identity/index.ts"
import { openInProcess } from "../../src/node/open-identity.ts"

export const SERVER = "http://localhost:1"

/** Whole engines over in-memory connections: everything is real but WebRTC and the server. */
export class Room {
  readonly network = new LoopbackNetwork({ schedule: (task) => void setImmediate(task) })
  readonly #identities: Identity[] = []
  readonly #meshMax: number | undefined

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
    return openInProcess(name, store, this.network.createHost(host), this.#meshMax)
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

/** Resolves with the first secured view of that many members. */
export function securedWith(conference: Conference, count: number): Promise<ConferenceView> {
  return new Promise((resolve) => {
    const off = conference.on("view", (view) => {
      if (view.members.length !== count) return
      queueMicrotask(() => off())
      resolve(view)
    })
  })
}

/** Resolves when that many messages have come. */
export function received(conference: Conference, channel: string, count: number): Promise<ChannelMessage[]> {
  const messages: ChannelMessage[] = []
  return new Promise((resolve) => {
    conference.channel(channel, { history: true }).on("message", (message) => {
      messages.push(message)
      if (messages.length === count) resolve(messages)
    })
  })
}
