import type { MemberId } from "@keymoot/transport"
import { expect, test } from "vitest"
import { type CallPeer, mayReplace, newPeer } from "../../src/media/call/call-peer.ts"
import { REPLACE_MS, SILENCE_MS } from "../../src/media/connection/path-watch.ts"

const BOB: CallPeer = { member: "b" as MemberId, incarnation: 1, session: 7, sources: [], wanted: null, isLinked: true }

test("keeps a connection over which packets come, also when the link has lost its path", () => {
  const entry = newPeer(BOB)
  const may = (packetAgeMs: number, isSure: boolean): boolean => mayReplace(entry, { nowMs: 0, packetAgeMs, isSure })
  expect([may(SILENCE_MS / 2 - 1, true), may(SILENCE_MS / 2, true)]).toEqual([false, true])
  expect([may(REPLACE_MS / 2 - 1, false), may(REPLACE_MS / 2, false)]).toEqual([false, true])
})

test("makes the next replacement wait after silence, not after a report of the link", () => {
  const entry = newPeer(BOB)
  const may = (nowMs: number, isSure: boolean): boolean => mayReplace(entry, { nowMs, packetAgeMs: Infinity, isSure })
  expect([may(0, false), may(1, false), may(2, true)]).toEqual([true, false, true])
  expect([may(10_000, true), may(10_001, false)]).toEqual([true, true])
})
