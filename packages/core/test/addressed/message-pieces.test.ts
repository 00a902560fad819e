import { afterEach, expect, test, vi } from "vitest"
import { NO_SUBJECT, PIECE_BYTES_MAX } from "../../src/addressed/piece.ts"
import { ConferenceChannel, type ChannelConfig } from "../../src/client/channel.ts"
import type { EngineConnection } from "../../src/client/connection/engine-connection.ts"
import { MessagePieces, type PiecesMessage } from "../../src/client/connection/message-pieces.ts"
import { MessageKind } from "../../src/multicast/message-kind.ts"
import { reportedErrors } from "../client/reported-errors.ts"

afterEach(() => vi.unstubAllGlobals())

const message: PiecesMessage = {
  channel: "chat",
  kind: MessageKind.addressed,
  data: new Uint8Array(3 * PIECE_BYTES_MAX),
  targets: [],
  subject: NO_SUBJECT,
  service: "fifo",
}

function scene(call: () => Promise<unknown>) {
  const connection = { call } as unknown as EngineConnection
  return { connection, pieces: new MessagePieces("c0", connection) }
}

test("delivers a message whose progress listener throws", async () => {
  const reported = reportedErrors()
  const { connection, pieces } = scene(async () => ({ id: "1" }))
  const failure = new Error("a bug in the listener")
  const onProgress = (): void => {
    throw failure
  }
  const channel = new ConferenceChannel("chat", { conference: "c0", connection, pieces } as ChannelConfig, {})
  expect(await channel.send("small", { onProgress })).toEqual({ id: "1" })
  expect(await channel.send(message.data, { onProgress })).toEqual({ id: "1" })
  await expect.poll(() => new Set(reported)).toEqual(new Set([failure]))
})

test("cancels a large message at once when it waits behind another one", async () => {
  let pieceCount = 0
  const { pieces } = scene(() => {
    pieceCount++
    return new Promise(() => undefined)
  })
  void pieces.send(message, {})
  const calledOff = new AbortController()
  const waiting = pieces.send(message, { signal: calledOff.signal })
  const over = expect(waiting).rejects.toMatchObject({ code: "aborted" })
  await Promise.resolve()
  calledOff.abort()
  await over
  expect(pieceCount).toBe(1)
})
