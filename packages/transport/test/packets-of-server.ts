/** A client of Socket.IO whose server is bytes, without a network. */
import { setImmediate } from "node:timers/promises"
import { Manager } from "socket.io-client"
import { GuardedWebSocket } from "../src/host/guarded-transports.ts"

const HANDSHAKE = `0{"sid":"a","upgrades":[],"pingInterval":25000,"pingTimeout":20000,"maxPayload":1000000}`

/** Receives frames of a server that has accepted the connection, each in a turn of its own. @throws what nothing catches */
export async function receiveFrames(frames: readonly (string | ArrayBuffer)[]): Promise<void> {
  const failures: unknown[] = []
  const onFailure = (error: unknown): void => void failures.push(error)
  let receive: (frame: string | ArrayBuffer) => void = () => undefined
  class Silent extends GuardedWebSocket {
    override doOpen(): this {
      receive = (frame) => this.onData(frame)
      queueMicrotask(() => this.onOpen())
      return this
    }
    override write(): void {
      // Nobody receives it.
    }
    override doClose(): void {
      // There is nothing to close.
    }
  }
  const manager = new Manager("http://localhost:1", { transports: [Silent], reconnection: false, autoConnect: false })
  process.on("uncaughtException", onFailure)
  process.on("unhandledRejection", onFailure)
  try {
    const socket = manager.socket("/")
    socket.onAny(() => undefined)
    socket.connect()
    await setImmediate()
    for (const frame of [HANDSHAKE, `40{"sid":"b"}`, ...frames]) {
      receive(frame)
      await setImmediate()
    }
    socket.disconnect()
    await setImmediate()
  } finally {
    process.off("uncaughtException", onFailure)
    process.off("unhandledRejection", onFailure)
  }
  if (failures.length > 0) throw failures[0]
}
