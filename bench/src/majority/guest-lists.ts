/** Times to make and to open a conference that names its people. */
import {
  createCredentialChecker,
  createDescriptor,
  createMemoryStore,
  openDescriptor,
  openIdentity,
} from "@keymoot/core/testing"
import { figureOf, type Figure } from "../experiment/figure.ts"

export const LIST_MADE = "guest list made and signed"
export const LIST_OPENED = "guest list opened and checked"
const RUNS = 15
const HOUR_MS = 3_600_000

/** For conferences of so many people, whose certificates this machine has not checked before. */
export async function guestLists(n: number): Promise<Figure[]> {
  const made: number[] = []
  const opened: number[] = []
  const named = (_: unknown, i: number) =>
    openIdentity({ name: `Member ${i}`, store: createMemoryStore(), now: Date.now })
  const [creator, ...others] = await Promise.all(Array.from({ length: n }, named))
  for (let run = -1; run < RUNS; run++) {
    const startsAtMs = Date.now()
    const beganMs = performance.now()
    const { bytes, invitation } = await createDescriptor({
      server: "https://meet.example",
      creator: creator!,
      title: "Board meeting",
      keyAgreement: "majority",
      admission: { policy: "roster", others },
      history: "everything",
      startsAtMs,
      durationMs: HOUR_MS,
    })
    const madeMs = performance.now()
    await openDescriptor(bytes, invitation, createCredentialChecker(), startsAtMs)
    if (run < 0) continue
    made.push(madeMs - beganMs)
    opened.push(performance.now() - madeMs)
  }
  const what = { experiment: "majority", n, unit: "ms" }
  return [figureOf({ ...what, metric: LIST_MADE }, made), figureOf({ ...what, metric: LIST_OPENED }, opened)]
}
