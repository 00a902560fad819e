/** Members that give false proofs of a key which they hold, so that the lowest member has to replace the view. */
import { defaultTimes, type MemberId } from "@keymoot/transport"
import { memberNames, simulatedId } from "@keymoot/transport/testing"
import { expect, test, vi } from "vitest"
import type { DriverEvent } from "../../src/driver/driver-config.ts"
import { toyCryptography } from "./cryptography.ts"
import { DrivenMember } from "./members/driven-member.ts"
import { playSecure } from "./run.ts"

const SEED = 1
const IDS = memberNames(5)
  .map((name) => simulatedId(name, SEED))
  .toSorted()
const LOWEST = IDS[0]!
const LIARS = IDS.slice(-2)
/** False proofs of each liar between two secured views. With a third one it would be left out. */
const LIES = 2
const FROM_MS = 6000
const UNTIL_MS = FROM_MS + 180_000
/** Interval of requests for a new key, as the members allow it. */
const WISHES_MS = 15_000

/** Proofs of each member since the last secured view. */
const proofs = new Map<MemberId, number>()
let isTime = false

/** The liars take turns. */
function isFalse(member: MemberId): boolean {
  const proof = proofs.get(member) ?? 0
  proofs.set(member, proof + 1)
  return isTime && LIARS.indexOf(member) === Math.floor(proof / LIES)
}

vi.mock("@keymoot/gke", async (original) => {
  const gke = await original<typeof import("@keymoot/gke")>()
  const confirmationTag: typeof gke.confirmationTag = (key, member, transcript) => {
    const tag = gke.confirmationTag(key, member, transcript)
    return isFalse(member) ? tag.with(0, tag[0]! ^ 1) : tag
  }
  return { ...gke, confirmationTag }
})

class ProvingMember extends DrivenMember {
  readonly leftOut = new Set<MemberId>()
  falseProofs = 0
  #securedAtMs: number | null = null

  protected override onEvent(event: DriverEvent): void | Promise<void> {
    if (event.type === "secured") {
      proofs.delete(this.id)
      this.#securedAtMs = this.now()
    }
    if (event.type !== "security") return super.onEvent(event)
    const { code, member } = event.event
    if (code === "failed-confirmation") this.falseProofs++
    if (code === "obstruction" && this.now() < UNTIL_MS) this.leftOut.add(member!)
  }

  /** The lowest member grants each wish for a new key. */
  protected override onTick(): void {
    isTime = this.now() > FROM_MS && this.now() < UNTIL_MS
    if (this.id === LOWEST && isTime && this.#securedAtMs !== null && this.now() - this.#securedAtMs >= WISHES_MS) {
      this.#securedAtMs = null
      this.driver.refresh()
    }
    super.onTick()
  }
}

test("keeps the lowest member when two others take turns with false proofs", async () => {
  const cryptography = toyCryptography()
  const members: ProvingMember[] = []
  await playSecure(
    { seed: SEED, members: IDS.length, faults: [], calmMs: UNTIL_MS },
    {
      times: { ...defaultTimes, aloneAfterMs: 1500 },
      delayMs: 20,
      create: ({ untilMs }) => {
        const sends = { untilMs, chance: () => 0.01 }
        const options = { cryptography, module: "tgdh", postQuantum: "off", sends } as const
        return (world, name, id, config) => {
          const member = new ProvingMember(world, name, id, config, options)
          members.push(member)
          return member
        }
      },
    },
  )
  expect(members.find(({ id }) => id === LOWEST)!.falseProofs).toBeGreaterThan(30)
  expect(members.filter(({ leftOut }) => leftOut.has(LOWEST))).toEqual([])
})
