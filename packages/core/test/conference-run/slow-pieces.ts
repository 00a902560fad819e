import { vi } from "vitest"
import { EngineConnection } from "../../src/client/connection/engine-connection.ts"

/** Longer than an engine that closes waits between two looks at its queue. */
const PAUSE_MS = 60

/** Pages send each piece so late that the engine's queue is empty before, as it is over a slow line. */
export function sendPiecesSlowly(pauseMs = PAUSE_MS): void {
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(new AbortController().signal)
  const { call } = EngineConnection.prototype
  vi.spyOn(EngineConnection.prototype, "call").mockImplementation(async function (this: EngineConnection, ...args) {
    const [, params] = args
    const isPiece = "payload" in params && params.payload.length > 10_000
    if (isPiece && pauseMs === Infinity) return new Promise(() => undefined)
    if (isPiece) await new Promise((done) => setTimeout(done, pauseMs))
    return call.apply(this, args)
  })
}
