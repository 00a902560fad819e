import { describe, expect, test } from "vitest"
import type { ConnectionId, HostCommand } from "../../../src/port/port.ts"
import { RELAYED_PAYLOAD_BYTES_HIGH } from "../../../src/bounds/network-bounds.ts"
import { TestConference } from "../conference.ts"
import type { TestMember } from "../member.ts"

const numbered = (index: number) => new Uint8Array(Uint32Array.of(index, ...Array(index % 50).fill(index)).buffer)
const numbers = ({ received }: TestMember) => received.map((bytes) => new DataView(bytes.buffer).getUint32(0, true))
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)
const pathsTo = (member: TestMember, peer: TestMember) =>
  member.of("path").flatMap((output) => (output.peer === peer.member ? [output.path] : []))
const linkEvents = (member: TestMember, peer: TestMember) =>
  member.outputs.flatMap((output) =>
    (output.type === "linkUp" || output.type === "linkDown") && output.peer === peer.member ? [output.type] : [],
  )

/** Members "m0" to the last, none of the given pairs of which can make a WebRTC link. */
async function conferenceWith(members: number, cut: readonly (readonly [number, number])[]) {
  const conference = new TestConference(members)
  for (const [a, b] of cut) conference.network.cutDirect(`m${a}`, `m${b}`)
  for (let index = 0; index < members; index++) conference.join(`m${index}`, conference.identity(index))
  return { conference, members: conference.members }
}

async function talks(conference: TestConference, a: TestMember, b: TestMember, count = 200): Promise<void> {
  const before = [numbers(a).length, numbers(b).length]
  for (let index = 0; index < count; index++) {
    a.mesh.send(b.member, numbered(index))
    b.mesh.send(a.member, numbered(index))
    if (index % 20 === 0) await conference.pass(100)
  }
  await conference.pass(300)
  expect(numbers(a).slice(before[0])).toEqual(upTo(count))
  expect(numbers(b).slice(before[1])).toEqual(upTo(count))
}

describe("a pair whose WebRTC link cannot be made", () => {
  test("hears goodbye behind all that was said before when the other end leaves", async () => {
    const conference = new TestConference(2)
    conference.network.cutDirect("m0", "m1")
    // Each frame arrives by itself, as the messages of a data channel do.
    const post = (command: HostCommand): void => {
      const { host } = conference.members[0]!
      if (command.type !== "peer-send") return host.post(command)
      for (const frame of command.frames) host.post({ ...command, frames: [frame] })
    }
    let numbers = 0
    const host = { nextConnection: () => ++numbers as ConnectionId, nextRequest: () => ++numbers, post }
    const a = conference.join("m0", conference.identity(0), { host })
    const b = conference.join("m1", conference.identity(1))
    await conference.pass(12_000)
    expect(pathsTo(b, a)).toEqual(["relayed-by-server"])
    const large = new Uint8Array(300_000).fill(7)
    a.mesh.send(b.member, large)
    a.mesh.send(b.member, numbered(1))
    a.mesh.close()
    await conference.pass(300)
    expect(b.received.slice(-2)).toEqual([large, numbered(1)])
    expect(linkEvents(b, a)).toEqual(["linkUp", "linkDown"])
  })

  test("is linked through the server without others, which sees neither who nor what", async () => {
    const { conference, members } = await conferenceWith(2, [[0, 1]])
    await conference.pass(8_000)
    const [a, b] = members as [TestMember, TestMember]
    expect([a.links, b.links]).toEqual([[b.member], [a.member]])
    expect([pathsTo(a, b), pathsTo(b, a)]).toEqual([["relayed-by-server"], ["relayed-by-server"]])
    await talks(conference, a, b)
    a.mesh.send(b.member, new TextEncoder().encode("not for the server"))
    await conference.pass(200)
    const seen = conference.network.relayed.map((frame) => Buffer.from(frame).toString("latin1")).join("\n")
    for (const secret of ["not for the server", "certificate of"]) expect(seen).not.toContain(secret)
    for (const { identity } of members) {
      expect(seen).not.toContain(Buffer.from(identity.member, "hex").toString("latin1"))
      expect(seen).not.toContain(Buffer.from(identity.credential.publicKey).toString("latin1"))
    }
    expect([...a.securityCodes, ...b.securityCodes]).toEqual([])
  })

  test("moves from the server to a direct link, losing nothing", async () => {
    const conference = new TestConference(2, 4)
    conference.network.cutDirect("m0", "m1")
    const [a, b] = [0, 1].map((index) => conference.join(`m${index}`, conference.identity(index))) as [
      TestMember,
      TestMember,
    ]
    await conference.pass(8_000)
    let sent = 0
    const run = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 100) {
        a.mesh.send(b.member, numbered(sent))
        b.mesh.send(a.member, numbered(sent))
        sent += 1
        await conference.pass(100)
      }
    }
    await run(4_500)
    expect([pathsTo(a, b), pathsTo(b, a)]).toEqual([0, 1].map(() => ["relayed-by-server"]))
    conference.network.mend("m0", "m1")
    for (let tries = 0; tries < 4; tries++) {
      await conference.skip(15_000)
      await run(500)
    }
    expect(pathsTo(a, b).at(-1)).toBe("direct")
    expect(pathsTo(b, a).at(-1)).toBe("direct")
    expect(numbers(a)).toEqual(upTo(sent))
    expect(numbers(b)).toEqual(upTo(sent))
    expect([linkEvents(a, b), linkEvents(b, a)]).toEqual([["linkUp"], ["linkUp"]])
  })

  test("is down when it loses its relaying server, and says so until it is back", async () => {
    const { conference, members } = await conferenceWith(2, [[0, 1]])
    const [a, b] = members as [TestMember, TestMember]
    await conference.pass(8_000)
    conference.network.setServer("down")
    await conference.pass(5_000)
    expect([a.links, b.links]).toEqual([[], []])
    conference.network.setServer("up")
    await conference.pass(12_000)
    expect([a.links, b.links]).toEqual([[b.member], [a.member]])
    await talks(conference, a, b)
  })
})

describe("a relayed link", () => {
  test("is limited sooner than a direct one when slow, except control messages", async () => {
    const { conference, members } = await conferenceWith(2, [[0, 1]])
    const [a, b] = members as [TestMember, TestMember]
    await conference.pass(8_000)
    conference.network.onDelivery = (to, event) => (to === "m1" && event.type === "peer-frames" ? [] : [event])
    const chunk = new Uint8Array(32 * 1024)
    let taken = 0
    while (a.mesh.send(b.member, chunk, { payload: true })) taken += 1
    expect(taken).toBe(RELAYED_PAYLOAD_BYTES_HIGH / chunk.length)
    for (let index = 0; index < 100; index++) expect(a.mesh.send(b.member, numbered(index))).toBe(true)
  })
})
