import { expect } from "vitest"
import type { KeyAgreementName, MemberId } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { Harness, memberNamed } from "./harness.ts"

export const ids = (names: string): MemberId[] => [...names].map(memberNamed)
export const nameOf = (id: MemberId): string => String.fromCodePoint(Number.parseInt(id.slice(0, 2), 16))

/** Members with one letter each, who have agreed once. */
export function groupOf(module: KeyAgreementName, names: string): Harness {
  const harness = new Harness(createToyGroup(), { seed: names, module })
  for (const name of names) harness.start(name)
  harness.change(ids(names))
  return harness
}

/** After whatever happened, an honest view still gives everybody one new secret. */
export function expectStillAgrees(harness: Harness, names: string): void {
  const old = new Set(harness.secrets.map(({ secret }) => secret))
  harness.faults.length = 0
  harness.change(ids(names))
  expect(harness.faults).toEqual([])
  const secrets = new Set(ids(names).map((id) => harness.member(id).secret?.secret))
  expect(secrets.size).toBe(1)
  const [secret] = secrets
  expect(secret !== undefined && !old.has(secret)).toBe(true)
}

/** "b of d: wrong-key", sorted; and they are forgotten. */
export function takeFaults(harness: Harness): string[] {
  return harness.faults
    .splice(0)
    .map(({ at, member, reason }) => `${nameOf(at)} of ${nameOf(member)}: ${reason}`)
    .sort()
}
