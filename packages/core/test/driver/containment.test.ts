/**
 * A fault of this program that another member's bytes trigger, planted through an engine's ordinary options. It is
 * contained to its trigger: neither the conference nor others of the same engine end with it.
 */

import type { PrimeOrderGroup } from "@keymoot/gke"
import { describe, expect, test, type TestContext } from "vitest"
import { Containment } from "../../src/frames/containment.ts"
import { DriverRoom, primeGroup, type DriverMember } from "./driver-harness.ts"

/** Throws once `planted` says so, in the arithmetic of key agreement. */
function failing(planted: { armed: boolean }): PrimeOrderGroup {
  const multiplyEncoded: PrimeOrderGroup["multiplyEncoded"] = (...given) => {
    if (!planted.armed) return primeGroup.multiplyEncoded(...given)
    planted.armed = false
    throw new Error("planted")
  }
  return { ...primeGroup, multiplyEncoded }
}

function failuresOf({ events }: DriverMember): string[] {
  return events.flatMap((event) =>
    event.type === "security" && event.event.code === "handling-failed" ? [event.event.detail] : [],
  )
}

async function roomWithFault({ onTestFinished }: TestContext) {
  const planted = { armed: false }
  const room = new DriverRoom()
  onTestFinished(() => room.close())
  const bob = await room.join("Bob", failing(planted))
  const ada = await room.join("Ada")
  await expect.poll(() => [ada, bob].every(({ secured }) => secured.at(-1) === 2)).toBe(true)
  return { room, ada, bob, planted }
}

test("keeps a conference alive when a newcomer's contribution breaks key agreement", async (context) => {
  const { room, ada, bob, planted } = await roomWithFault(context)
  planted.armed = true
  const carl = await room.join("Carl")
  await expect.poll(() => failuresOf(bob)).toEqual([expect.stringContaining("planted")])
  const all = [ada, bob, carl]
  await expect
    .poll(() => all.every(({ isSecured, secured }) => isSecured && secured.at(-1) === 3), { timeout: 30_000 })
    .toBe(true)
  await carl.say("after it")
  await expect.poll(() => all.map(({ texts }) => texts)).toEqual([["after it"], ["after it"], ["after it"]])
})

test("keeps a conference alive when the coordinator's INSTALL breaks key agreement", async ({ onTestFinished }) => {
  const room = new DriverRoom()
  onTestFinished(() => room.close())
  const plants = [{ armed: false }, { armed: false }]
  const members: DriverMember[] = []
  for (const [index, plant] of plants.entries()) members.push(await room.join(`Member ${index}`, failing(plant)))
  await expect.poll(() => members.every(({ secured }) => secured.at(-1) === 2)).toBe(true)
  const coordinator = members[0]!.identity.member < members[1]!.identity.member ? 0 : 1
  const epochs = members.map(({ secured }) => secured.length)
  plants[coordinator]!.armed = true
  members[coordinator]!.driver.refresh()
  await expect.poll(() => failuresOf(members[coordinator]!)).toEqual([expect.stringContaining("planted")])
  await expect
    .poll(() => members.every(({ isSecured, secured }, i) => isSecured && secured.length > epochs[i]!))
    .toBe(true)
})

test("loses no message that was delivered when the step that delivered it throws", async (context) => {
  const { ada, bob } = await roomWithFault(context)
  const told = bob.events.push.bind(bob.events)
  let failures = 0
  // The application's end of the driver, which one message makes fail.
  bob.events.push = (event) => {
    const isPoison = event.type === "batch" && event.messages.some(({ payload }) => payload[0] === 112)
    if (isPoison && event.sender === ada.id && failures++ === 0) throw new Error("planted")
    return told(event)
  }
  await ada.say("before")
  await ada.say("poison")
  await ada.say("after")
  await expect.poll(() => bob.texts).toEqual(["before", "after"])
  expect(failuresOf(bob)).toEqual([expect.stringContaining("planted")])
  const named = bob.events.flatMap((event) => (event.type === "security" ? [event.event.member] : []))
  expect(named).toEqual([ada.id])
})

describe("a core that all members change", () => {
  const watched = () => {
    const [reports, failures]: [string[], unknown[]] = [[], []]
    const faults = { fail: (error: unknown) => void failures.push(error) }
    const containment = new Containment(faults, ({ member, detail }) => reports.push(`${member} ${detail}`))
    containment.tick(1000)
    return { containment, reports, failures }
  }
  const broken = new Error("planted")

  test("fails loudly when nobody else has caused it", () => {
    const { containment, reports, failures } = watched()
    containment.failed("own", broken)
    expect([failures, reports]).toEqual([[broken], []])
  })

  test("blames nobody, and reports once, when another's message fails it repeatedly", () => {
    const { containment, reports, failures } = watched()
    for (let i = 0; i < 9; i++) containment.failed("peer", broken)
    expect([failures, reports]).toEqual([[], [expect.stringMatching(/^null .*planted/u)]])
  })

  test("may fail by itself after that, until there is a new view or its time is over", () => {
    for (const end of ["view", "time"]) {
      const { containment, failures } = watched()
      containment.failed("peer", broken)
      containment.failed("own", broken)
      expect(failures).toEqual([])
      if (end === "view") containment.onView()
      else containment.tick(12_000)
      containment.failed("own", broken)
      expect(failures).toEqual([broken])
    }
  })

  test("asks for a new view once after a failure", () => {
    const { containment } = watched()
    containment.failed("peer", broken)
    expect([1050, 1100].map((nowMs) => containment.tick(nowMs))).toEqual([true, false])
  })
})
