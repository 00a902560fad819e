/** A fixed schedule of 300 members: too many for the random ones, whose every message is delivered on its own. */
import { expect, test } from "vitest"
import { createToyGroup } from "@keymoot/gke/testing"
import { Harness } from "../harness.ts"
import { MODULES } from "../modules.ts"
import { expectAgreement } from "./schedules.ts"

for (const { name } of MODULES) {
  const members = 300
  test(`${name}: ${members} members agree, and again after joins, leaves and a reload`, { timeout: 600_000 }, () => {
    const harness = new Harness(createToyGroup(), { module: name })
    const all = Array.from({ length: members + 3 }, (_, i) => harness.start(`m${i.toString().padStart(3, "0")}`))
    harness.change(all.slice(0, members))
    harness.startAs(all[40]!)
    const leavers = [20, 50, members - 1]
    const present = all.filter((_, i) => !leavers.includes(i))
    harness.change(present)
    expectAgreement(harness)
    expect(present).toHaveLength(members)
    for (const id of present) expect(harness.member(id).secret).not.toBeNull()
  })
}
