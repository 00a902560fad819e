/** A server that restarts under its clients, all on this machine. They keep their connections as the app does. */
import { randomBytes } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { type BootstrapConnection, connectBootstrap } from "@keymoot/transport/host"
import { conferenceIdOf, descriptorHashOf } from "@keymoot/transport/signaling-protocol"
import { withServer } from "../flood/loaded-server.ts"
import { proofOf, verifier } from "../invitation.ts"

const ROOM_CLIENTS = 4
const DOWN_MS = 2000
const LOOK_MS = 20

export type RestartFigures = {
  readonly clients: number
  /** From the server's ready line until so many clients were in their rooms again. */
  readonly medianMs: number
  readonly lastMs: number
}

/** Clients in rooms of four. The server ends by SIGTERM and is down for two seconds. Rejects if it refuses one of them. */
export function restartUnder(clients: number): Promise<RestartFigures> {
  return withServer(
    async (url, restart) => {
      const rooms = await Promise.all(Array.from({ length: Math.ceil(clients / ROOM_CLIENTS) }, () => createRoom(url)))
      const all = Array.from({ length: clients }, (_, index) => new RoomClient(url, rooms[index % rooms.length]!))
      await allIn(all)
      await restart(DOWN_MS)
      const readyMs = performance.now()
      const times = (await allIn(all)).map((enteredMs) => enteredMs - readyMs).toSorted((a, b) => a - b)
      for (const client of all) client.close()
      return { clients, medianMs: times[Math.floor(clients / 2)]!, lastMs: times.at(-1)! }
    },
    // They share one network address, which so many people would not.
    { ADDRESS_SCALE: "1000" },
  )
}

/** Returns when each entered its room. */
async function allIn(clients: readonly RoomClient[]): Promise<number[]> {
  for (;;) {
    const refusal = clients.find(({ refused }) => refused !== null)?.refused
    if (refusal !== undefined) throw new Error(`room:enter: ${refusal}`)
    const times = clients.flatMap(({ enteredMs }) => (enteredMs === null ? [] : [enteredMs]))
    if (times.length === clients.length) return times
    await sleep(LOOK_MS)
  }
}

function createRoom(url: string): Promise<string> {
  const descriptor = randomBytes(500)
  const id = conferenceIdOf(descriptorHashOf(descriptor))
  const connection = connectBootstrap(url, { take: () => {} })
  return new Promise((done, fail) => {
    const expiresAtMs = Date.now() + 3_600_000
    connection.ask("conference:create", { id, descriptor, expiresAtMs, verifier }, (reply) => {
      connection.close()
      if (reply.ok) done(id)
      else fail(new Error(`conference:create: ${reply.code}`))
    })
  })
}

class RoomClient {
  readonly #connection: BootstrapConnection
  readonly #room: string
  /** Code of the server's last refusal. */
  refused: string | null = null
  /** Null while it is not in its room. */
  enteredMs: number | null = null

  constructor(url: string, room: string) {
    this.#room = room
    this.#connection = connectBootstrap(url, {
      take: (news) => {
        if (news.type !== "state") return
        this.enteredMs = null
        if (news.state === "up") this.#enter(news.id!)
      },
    })
  }

  close(): void {
    this.#connection.close()
  }

  #enter(connection: string): void {
    const address = randomBytes(16).toString("hex")
    const proof = proofOf({ id: connection }, this.#room, address)
    this.#connection.ask("room:enter", { room: this.#room, address, proof }, (reply) => {
      if (reply.ok) this.enteredMs = performance.now()
      else this.refused = reply.code
    })
  }
}
