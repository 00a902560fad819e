import type { ConferenceHandle } from "@keymoot/core"
import { expect, it } from "vitest"
import { successorOf } from "../../src/board/moving/successor.ts"

const HOUR_MS = 3_600_000
const NOW_MS = 100 * HOUR_MS
const handle = (changed: object): ConferenceHandle =>
  ({
    title: "The roof",
    timeFrame: { opensAtMs: 0, endsAtMs: 8 * HOUR_MS, latestEndMs: 32 * HOUR_MS },
    keyAgreement: "bd",
    authenticity: "signature",
    cipher: "chacha20-poly1305",
    postQuantum: "hybrid",
    admission: { policy: "link" },
    history: "from-join",
    ...changed,
  }) as unknown as ConferenceHandle

it("has the same title, rules, protection and length as before", () => {
  expect(successorOf(handle({}), NOW_MS)).toEqual({
    title: "The roof",
    history: "from-join",
    authenticity: "signature",
    cipher: "chacha20-poly1305",
    postQuantum: "hybrid",
    keyAgreement: "bd",
    admission: { policy: "link" },
    opensAtMs: NOW_MS - HOUR_MS,
    durationMs: 8 * HOUR_MS,
  })
})

it.each(["approval", "roster", "ca"])("lets nobody in by the link alone after %s", (policy) => {
  const next = successorOf(
    handle({ admission: { policy }, keyAgreement: policy === "roster" ? "majority" : "tgdh" }),
    NOW_MS,
  )
  expect([next.admission, next.keyAgreement]).toEqual([{ policy: "approval" }, "tgdh"])
})

it("lasts no longer than any conference, and an hour from now at least", () => {
  const lasting = (endsAtMs: number) =>
    successorOf(handle({ timeFrame: { opensAtMs: 0, endsAtMs } }), NOW_MS).durationMs
  expect([lasting(0), lasting(31 * 24 * HOUR_MS)]).toEqual([2 * HOUR_MS, 720 * HOUR_MS])
})
