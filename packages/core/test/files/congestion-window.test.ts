import { expect, test } from "vitest"
import { CongestionWindow } from "../../src/files/congestion-window.ts"

const PIECE = 16 * 1024

/** Sends at full speed through one queue for so long, and tells the longest time that anything waited in it after the start. */
function drive(bytesPerMs: number, roundTripMs: number, forMs: number) {
  const window = new CongestionWindow()
  const underWay: { readonly ackMs: number; readonly bytes: number }[] = []
  let buffered = 0
  let freeMs = 0
  let sent = 0
  let longestMs = 0
  for (let nowMs = 0; nowMs < forMs; nowMs++) {
    for (let next = underWay[0]; next && next.ackMs <= nowMs; next = underWay[0]) {
      underWay.shift()
      buffered -= next.bytes
      window.acknowledged(buffered, nowMs)
    }
    while (window.maySend(buffered)) {
      buffered += PIECE
      sent += PIECE
      freeMs = Math.max(freeMs, nowMs) + PIECE / bytesPerMs
      if (nowMs > forMs / 2) longestMs = Math.max(longestMs, freeMs - nowMs)
      underWay.push({ ackMs: freeMs + roundTripMs, bytes: PIECE })
      window.sent(buffered, nowMs)
    }
  }
  return { bytesPerMs: sent / forMs, longestMs }
}

test.each([
  { link: "a fast one near by", bytesPerMs: 30_000, roundTripMs: 1 },
  { link: "a fast one far away", bytesPerMs: 10_000, roundTripMs: 100 },
  { link: "a home's", bytesPerMs: 2_500, roundTripMs: 30 },
])("$link is used", ({ bytesPerMs, roundTripMs }) => {
  expect(drive(bytesPerMs, roundTripMs, 20_000).bytesPerMs).toBeGreaterThan(0.7 * bytesPerMs)
})

test.each([
  { link: "a home's", bytesPerMs: 1_250, roundTripMs: 30 },
  { link: "a fast one", bytesPerMs: 10_000, roundTripMs: 10 },
  { link: "a slow one", bytesPerMs: 250, roundTripMs: 60 },
])("delays a message for a moment only while a file goes over $link", ({ bytesPerMs, roundTripMs }) => {
  expect(drive(bytesPerMs, roundTripMs, 60_000).longestMs).toBeLessThan(600)
})
