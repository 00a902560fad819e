/**
 * No exception that a member can cause leaves the handling of its link. The faults are planted through what a mesh is
 * given anyway; the property then sends everything that a member can say, changed.
 */
import * as fc from "fast-check"
import { describe, expect, test, vi } from "vitest"
import type { ConnectionId, HostEvent } from "../../../src/port/port.ts"
import type { MemberId, MeshConfig, MeshOutput } from "../../../src/index.ts"
import { encodeControl } from "../../../src/network/messages/control.ts"
import { nobleHopCipher } from "../../../src/network/shared/hop-cipher.ts"
import { packParcels } from "../../../src/network/association/channel.ts"
import { encodeSignal } from "../../../src/network/messages/signal.ts"
import { TestConference } from "../conference.ts"
import { HostileMember } from "./hostile-member.ts"
import type { TestMember } from "../member.ts"
import { controls, signals } from "../sample-messages.ts"

// Handshakes are much to compute, and a busy machine may take its time.
vi.setConfig({ testTimeout: 600_000 })

const POISON = Uint8Array.of(66, 6, 66)
const isPoison = (bytes: Uint8Array): boolean => String(bytes) === String(POISON)

type Attacked = { conference: TestConference; hostile: HostileMember; victim: TestMember; honest: TestMember }

/** A victim that is linked with an honest and a hostile member. */
async function attacked(overrides: (victim: () => TestMember) => Partial<MeshConfig> = () => ({})): Promise<Attacked> {
  const conference = new TestConference(4)
  const victim: TestMember = conference.join(
    "victim",
    conference.identity(3),
    overrides(() => victim),
  )
  const honest = conference.join("honest", conference.identity(2))
  await conference.pass(1_000)
  const hostile = new HostileMember(conference, conference.identity(0), victim)
  await conference.network.run()
  await hostile.introduce()
  await hostile.link()
  expect(victim.links).toEqual([hostile.identity.member, honest.member].sort())
  return { conference, hostile, victim, honest }
}

/** Under the seal of its direct link: everything a member can say to another's mesh. */
function say(hostile: HostileMember, bytes: Uint8Array, control = false): Promise<void> {
  return hostile.send(packParcels([{ control, bytes }], (frame) => hostile.sealer!.seal(frame)))
}

async function goesOn({ conference, victim, honest }: Attacked): Promise<void> {
  const word = conference.random.bytes(9)
  honest.mesh.send(victim.member, word)
  victim.mesh.send(honest.member, word)
  await conference.pass(200)
  expect([victim.received.at(-1), honest.received.at(-1)]).toEqual([word, word])
  const downs = (member: TestMember) => member.of("linkDown").filter(({ peer }) => peer !== member.identity.member)
  expect(downs(honest)).toEqual([])
  expect(victim.of("linkDown").filter(({ peer }) => peer === honest.member)).toEqual([])
}

function failuresOf(victim: TestMember): (MemberId | null)[] {
  return victim.of("security").flatMap(({ code, member }) => (code === "handling-failed" ? [member] : []))
}

/** The throwing part and its place: the link itself, and the layers above. */
const faults: Record<string, (victim: () => TestMember) => Partial<MeshConfig>> = {
  "its link's own state": () => ({
    hopCipher: {
      ...nobleHopCipher,
      open: (...sealed) => {
        const plain = nobleHopCipher.open(...sealed)
        if (plain && isPoison(plain.subarray(-POISON.length))) throw new Error("planted")
        return plain
      },
    },
  }),
  "the layer above": (victim) => ({
    sink: {
      take: (output: MeshOutput) => {
        victim().outputs.push(output)
        if (output.type === "frame" && isPoison(output.bytes)) throw new Error("planted")
      },
    },
  }),
}

describe.each(Object.entries(faults))("when what a member sends makes %s throw", (_name, overrides) => {
  test("ends the link with it, tells the application, and continues with the others", async () => {
    const all = await attacked(overrides)
    const { hostile, victim, honest } = all
    await say(hostile, POISON)
    expect(victim.links).toEqual([honest.member])
    expect(victim.of("security")).toMatchObject([
      { code: "handling-failed", member: hostile.identity.member, detail: expect.stringContaining("planted") },
    ])
    await goesOn(all)
  })

  test("takes no other link of this incarnation of it", async () => {
    const all = await attacked(overrides)
    const { conference, hostile, victim, honest } = all
    await say(hostile, POISON)
    const opened = victim.commandsOf("peer-open").length
    for (const attempt of [2, 3]) {
      await conference.pass(5_000)
      await hostile.link(attempt)
    }
    expect(victim.links).toEqual([honest.member])
    expect(victim.commandsOf("peer-open")).toHaveLength(opened)
    await goesOn(all)
  })
})

test("throws what the own side has caused", async () => {
  const advertises = () => {
    throw new Error("planted")
  }
  const broken = { policy: { admits: () => true, advertises } }
  const conference = new TestConference(1)
  expect(() => conference.join("victim", conference.identity(0), broken)).toThrow("planted")
})

describe("whatever a member says", () => {
  const edit = fc.record({ at: fc.nat({ max: 200 }), bytes: fc.uint8Array({ minLength: 1, maxLength: 9 }) })
  const extreme = fc.constantFrom(
    new Uint8Array(8).fill(255),
    new Uint8Array(8),
    Uint8Array.of(0, 32, 0, 0, 0, 0, 0, 0),
    Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1),
  )
  const changed = fc.record({
    edits: fc.array(fc.oneof(edit, fc.record({ at: fc.nat({ max: 120 }), bytes: extreme })), { maxLength: 3 }),
    cut: fc.option(fc.nat({ max: 60 }), { freq: 6 }),
  })
  type Changed = { edits: { at: number; bytes: Uint8Array }[]; cut: number | null }
  const apply = (sample: Uint8Array, { edits, cut }: Changed): Uint8Array => {
    const bytes = Uint8Array.from(sample)
    for (const { at, bytes: written } of edits)
      for (const [i, byte] of written.entries()) bytes[(at + i) % bytes.length] = byte
    return cut === null ? bytes : bytes.subarray(0, bytes.length - (cut % bytes.length))
  }
  const act = fc.oneof(
    fc.record({ what: fc.constant("control" as const), which: fc.nat(), changed }),
    fc.record({ what: fc.constant("message" as const), bytes: fc.uint8Array({ maxLength: 300 }) }),
    fc.record({ what: fc.constant("plain" as const), bytes: fc.uint8Array({ maxLength: 60 }) }),
    fc.record({ what: fc.constant("frame" as const), bytes: fc.uint8Array({ maxLength: 80 }) }),
    fc.record({ what: fc.constant("signal" as const), which: fc.nat(), changed }),
    fc.record({ what: fc.constant("host" as const), which: fc.nat(), bytes: fc.uint8Array({ maxLength: 120 }) }),
  )

  async function perform(all: Attacked, action: typeof act extends fc.Arbitrary<infer A> ? A : never): Promise<void> {
    const { conference, hostile } = all
    const room = "01".repeat(16)
    switch (action.what) {
      case "control":
        return say(hostile, apply(encodeControl(controls[action.which % controls.length]!), action.changed), true)
      case "message":
        return say(hostile, action.bytes)
      case "plain":
        return hostile.send([hostile.sealer!.seal(action.bytes)])
      case "frame":
        return hostile.send([action.bytes])
      case "signal":
        return hostile.signalBytes(apply(encodeSignal(signals[action.which % signals.length]!), action.changed))
      case "host": {
        const connectionId = (action.which % 12) as ConnectionId
        const from = "11".repeat(16) as never
        const { bytes } = action
        const events: HostEvent[] = [
          { type: "room-advertisement", server: "https://meet.example", room, from, advertisement: bytes },
          { type: "room-signal", server: "https://meet.example", room, from, envelope: bytes },
          { type: "peer-frames", connectionId, reliability: "unreliable", frames: [bytes] },
        ]
        conference.network.inject("victim", events[action.which % events.length]!)
        return conference.network.run()
      }
    }
  }

  test("never leaves the handling of its link, and the other link continues", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 30 }), async (actions) => {
        const all = await attacked()
        for (const action of actions) {
          await perform(all, action)
          // Linked again, or most of what it says would fall on nothing.
          if (!all.victim.links.includes(all.hostile.identity.member)) {
            await all.conference.pass(1_000)
            await all.hostile.link(all.victim.commands.length + 10)
          }
        }
        await goesOn(all)
        expect(failuresOf(all.victim)).toEqual([])
      }),
      { numRuns: process.env["RUNS"] === "full" ? 40 : 6 },
    )
  })
})
