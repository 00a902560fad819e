import { afterEach, describe, expect, test, vi } from "vitest"
import type { HostCommand, LinkNumber } from "../../src/port/port.ts"
import { RELAYED_PAYLOAD_BYTES_HIGH } from "../../src/bounds/network-bounds.ts"
import type { MemberId } from "../../src/index.ts"
import { RelayCircuits } from "../../src/network/forwarding/relay-circuits.ts"
import { ConnectionTable } from "../../src/network/link/connection-table.ts"
import type { Connections } from "../../src/network/link/connections.ts"
import type { Control, RelayFrame } from "../../src/network/messages/control.ts"
import type { MeshBase } from "../../src/network/base/mesh-base.ts"
import { MeshFaults } from "../../src/network/base/mesh-faults.ts"
import { TestConference } from "./conference.ts"
import { SERVER, type TestMember } from "./member.ts"

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
async function conferenceWith(
  members: number,
  cut: readonly (readonly [number, number])[],
  { seed = 1, how = "cutDirect" as "cut" | "cutDirect", serverRelays = true } = {},
) {
  const conference = new TestConference(members, seed)
  conference.network.relays = serverRelays
  for (const [a, b] of cut) conference.network[how](`m${a}`, `m${b}`)
  for (let index = 0; index < members; index++) conference.join(`m${index}`, conference.identity(index))
  return { conference, members: conference.members }
}

const identityOf = (conference: TestConference, { member }: TestMember) =>
  [0, 1, 2].map((index) => conference.identity(index)).find((identity) => identity.member === member)!

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
  test("is linked through a third member, soon, and both ends know it", async () => {
    const { conference, members } = await conferenceWith(3, [[0, 1]], { serverRelays: false })
    await conference.pass(1_500)
    const [a, b, relay] = members as [TestMember, TestMember, TestMember]
    expect(a.links).toEqual([b.member, relay.member].sort())
    expect([pathsTo(a, b), pathsTo(b, a), pathsTo(a, relay)]).toEqual([
      ["relayed-by-member"],
      ["relayed-by-member"],
      ["direct"],
    ])
    await talks(conference, a, b)
    b.mesh.send(a.member, new Uint8Array(1_000_000).fill(3))
    a.mesh.send(b.member, numbered(77), { lane: "unreliable" })
    await conference.pass(200)
    expect(a.received.at(-1)).toEqual(new Uint8Array(1_000_000).fill(3))
    expect(numbers(b).at(-1)).toBe(77)
    expect(members.flatMap(({ securityCodes }) => securityCodes)).toEqual([])
    expect(conference.network.relayed).toEqual([])
  })

  test.each([
    ["a member", [[0, 1]]],
    [
      "the server",
      [
        [0, 1],
        [0, 2],
        [1, 2],
      ],
    ],
  ] as const)("hears goodbye behind all that was said before when the other end leaves over %s", async (_, cut) => {
    const conference = new TestConference(3)
    for (const [a, b] of cut) conference.network.cutDirect(`m${a}`, `m${b}`)
    // Each frame arrives by itself, as the messages of a data channel do.
    const post = (command: HostCommand): void => {
      const { host } = conference.members[0]!
      if (command.type !== "peer-send") return host.post(command)
      for (const frame of command.frames) host.post({ ...command, frames: [frame] })
    }
    let numbers = 0
    const host = { nextLink: () => ++numbers as LinkNumber, nextRequest: () => ++numbers, post }
    const a = conference.join("m0", conference.identity(0), { host })
    const b = conference.join("m1", conference.identity(1))
    conference.join("m2", conference.identity(2))
    await conference.pass(12_000)
    expect(pathsTo(b, a).at(-1)).toMatch(/^relayed/u)
    const large = new Uint8Array(300_000).fill(7)
    a.mesh.send(b.member, large)
    a.mesh.send(b.member, numbered(1))
    a.mesh.close()
    await conference.pass(300)
    expect(b.received.slice(-2)).toEqual([large, numbered(1)])
    expect(linkEvents(b, a)).toEqual(["linkUp", "linkDown"])
  })

  test("is linked through several members where no single one has a link with both", async () => {
    const chain = [0, 1, 2, 3]
    const cut = chain.flatMap((a) => chain.flatMap((b): [number, number][] => (b - a > 1 ? [[a, b]] : [])))
    const { conference, members } = await conferenceWith(4, cut, { how: "cut" })
    await conference.pass(8_000)
    for (const member of members) expect(member.links).toHaveLength(3)
    await talks(conference, members[0]!, members[3]!)
  })

  test("is linked through members if the server withholds a card, with its certificate", async () => {
    const conference = new TestConference(4, 3)
    for (const [a, b] of [
      [0, 2],
      [0, 3],
      [1, 3],
    ])
      conference.network.cut(`m${a}`, `m${b}`)
    for (const index of [0, 1, 2]) conference.join(`m${index}`, conference.identity(index))
    await conference.pass(2_000)
    conference.network.onDelivery = (to, event) =>
      to === "m0" && (event.type === "room-advertisement" || event.type === "room-signal") ? [] : [event]
    conference.join("m3", conference.identity(3))
    await conference.pass(4_000)
    for (const member of conference.members) expect(member.links).toHaveLength(3)
    await talks(conference, conference.members[0]!, conference.members[3]!, 40)
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

  test("moves from the server to a member and to a direct link, losing nothing", async () => {
    const conference = new TestConference(3, 4)
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
    await run(500)
    conference.join("m2", conference.identity(2))
    await run(4_000)
    expect([pathsTo(a, b), pathsTo(b, a)]).toEqual([0, 1].map(() => ["relayed-by-server", "relayed-by-member"]))
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

  test("loses nothing when the relaying member goes away, and takes another way", async () => {
    const { conference, members } = await conferenceWith(4, [[0, 1]], { seed: 2, serverRelays: false })
    const [a, b] = members as [TestMember, TestMember]
    await conference.pass(1_500)
    expect(pathsTo(a, b)).toEqual(["relayed-by-member"])
    let sent = 0
    const send = () => {
      for (let burst = 0; burst < 20; burst++, sent++) {
        a.mesh.send(b.member, numbered(sent))
        b.mesh.send(a.member, numbered(sent))
      }
    }
    send()
    await conference.pass(100)
    send()
    const carried = (member: TestMember) => member.commandsOf("peer-send").flatMap(({ frames }) => frames).length
    const [relay] = members.slice(2).toSorted((one, other) => carried(other) - carried(one))
    relay!.host.close()
    conference.members.splice(conference.members.indexOf(relay!), 1)
    send()
    await conference.pass(3_000)
    send()
    await conference.pass(500)
    expect(numbers(a)).toEqual(upTo(sent))
    expect(numbers(b)).toEqual(upTo(sent))
    expect([linkEvents(a, b), linkEvents(b, a)]).toEqual([["linkUp"], ["linkUp"]])
  })

  test("that loses its relaying server is down until it is back, and says so", async () => {
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

  test("is linked through a member when one end lost the server and the other reloads", async () => {
    const { conference, members } = await conferenceWith(3, [])
    await conference.pass(8_000)
    const [low, high, third] = members.toSorted((a, b) => (a.member < b.member ? -1 : 1)) as TestMember[]
    const [reloads, lost] = [low!, high!]
    const at = members.indexOf(lost)
    conference.network.inject(`m${at}`, { type: "bootstrap-state", server: SERVER, state: "down" })
    await conference.pass(100)
    for (const other of [lost, third!])
      conference.network.cut(`m${members.indexOf(reloads)}`, `m${members.indexOf(other)}`)
    const again = conference.join("again", identityOf(conference, reloads), { incarnation: 2 })
    conference.network.cutDirect("again", `m${at}`)
    await conference.pass(15_000)
    expect(again.links).toContain(lost.member)
    expect(lost.links).toContain(again.member)
  })
})

describe("who relays", () => {
  afterEach(() => vi.restoreAllMocks())

  /** The relaying member's attack on a frame from its origin, in place of forwarding it. */
  function hostileRelay(treat: (relay: RelayFrame) => readonly RelayFrame[]): void {
    const receive = RelayCircuits.prototype.receive
    vi.spyOn(RelayCircuits.prototype, "receive").mockImplementation(function (this: RelayCircuits, from, relay) {
      const offers = (from === relay.origin ? treat(relay) : [relay]).map((each) => receive.call(this, from, each))
      return offers.find((offer) => offer !== null) ?? null
    })
  }

  test("reads nothing of it", async () => {
    const { conference, members } = await conferenceWith(3, [[0, 1]], { serverRelays: false })
    const [a, b] = members as [TestMember, TestMember]
    const seen: Uint8Array[] = []
    hostileRelay((relay) => {
      seen.push(relay.bytes)
      return [relay]
    })
    await conference.pass(1_500)
    a.mesh.send(b.member, new TextEncoder().encode("not for the relay"))
    await conference.pass(200)
    expect(b.received).toHaveLength(1)
    expect(seen.length).toBeGreaterThan(5)
    expect(seen.map((bytes) => Buffer.from(bytes).toString("latin1")).join()).not.toContain("not for the relay")
  })

  test.each<[string, (relay: RelayFrame, earlier: RelayFrame[]) => readonly RelayFrame[]]>([
    ["spoils it", (relay) => [{ ...relay, bytes: relay.bytes.map((byte, at) => (at === 20 ? byte ^ 1 : byte)) }]],
    ["leaves it out", (_, earlier) => (earlier.length % 2 === 0 ? [] : earlier.slice(-1))],
    ["repeats it", (relay) => [relay, relay]],
    ["swaps it", (relay, earlier) => (earlier.length % 2 === 1 ? [] : [relay, earlier.at(-2)!])],
  ])("and %s only sends the pair another way: nothing is lost, doubled or believed", async (_, treat) => {
    const { conference, members } = await conferenceWith(3, [[0, 1]])
    const [a, b] = members as [TestMember, TestMember]
    await conference.pass(4_000)
    expect(pathsTo(a, b)).toEqual(["relayed-by-server", "relayed-by-member"])
    const earlier: RelayFrame[] = []
    hostileRelay((relay) => {
      if (relay.part !== "frame") return [relay]
      earlier.push(relay)
      return treat(relay, earlier)
    })
    for (let index = 0; index < 40; index++) {
      a.mesh.send(b.member, numbered(index))
      b.mesh.send(a.member, numbered(index))
      await conference.network.run()
    }
    await conference.pass(8_000)
    await conference.pass(8_000)
    expect(pathsTo(a, b).slice(2)).toContain("relayed-by-server")
    for (const member of [a, b]) {
      const arrived = numbers(member)
      expect(arrived).toEqual(upTo(40).slice(0, arrived.length))
    }
    a.mesh.send(b.member, numbered(500))
    await conference.pass(500)
    expect(numbers(b).at(-1)).toBe(500)
    expect(members.flatMap(({ securityCodes }) => securityCodes)).toEqual([])
  })

  test("and hides from one end that a circuit is closed does not prevent the next one", async () => {
    const { conference, members } = await conferenceWith(3, [[0, 1]], { serverRelays: false })
    const [a, b] = members as [TestMember, TestMember]
    await conference.pass(1_500)
    let spoiled = false
    hostileRelay((relay) => {
      if (relay.part === "close") return []
      if (spoiled || relay.origin !== b.member) return [relay]
      spoiled = true
      return [{ ...relay, bytes: relay.bytes.map((byte) => byte ^ 1) }]
    })
    b.mesh.send(a.member, numbered(0))
    await conference.pass(4_000)
    expect(pathsTo(b, a)).toEqual(["relayed-by-member", "relayed-by-member"])
    expect(numbers(a)).toEqual([0])
    expect([linkEvents(a, b), linkEvents(b, a)]).toEqual([["linkUp"], ["linkUp"]])
  })

  test("cannot speak in another's name, change the route or make a frame run in a circle", () => {
    const [self, origin, target, other] = ["1", "2", "3", "4"].map((digit) => digit.repeat(32)) as [
      MemberId,
      MemberId,
      MemberId,
      MemberId,
    ]
    const sent: Control[] = []
    const faults = new MeshFaults(() => expect.unreachable())
    const mesh = { signer: { member: self }, incarnation: 1 }
    const connections = {
      table: new ConnectionTable(),
      sendDirect: (_: MemberId, control: Control) => sent.push(control) > 0,
    }
    const circuits = new RelayCircuits({ mesh, faults } as unknown as MeshBase, connections as unknown as Connections)
    const frame = {
      hopsLeft: 1,
      route: [self],
      origin,
      target,
      attempt: 1,
      part: "frame",
      bytes: new Uint8Array(1),
    } as const
    circuits.receive(origin, frame)
    expect(sent).toEqual([{ kind: "relay", relay: { ...frame, hopsLeft: 0 } }])
    for (const [from, bad] of [
      [other, frame],
      [origin, { ...frame, hopsLeft: 2 }],
      [origin, { ...frame, hopsLeft: 0 }],
      [origin, { ...frame, route: [other] }],
      [origin, { ...frame, route: [self, other, self] }],
      [origin, { ...frame, route: [self, origin], hopsLeft: 2 }],
      [origin, { ...frame, origin: target }],
    ] as const) {
      expect(circuits.receive(from, bad)).toBeNull()
    }
    expect(sent).toHaveLength(1)
    expect(faults.dropped).toEqual(new Map([["relay: not on its route", 7]]))
  })
})

describe("a relayed link", () => {
  test("that is slow is limited sooner than a direct one, except control messages", async () => {
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

describe("one link is enough to join", () => {
  test("a newcomer with slow other links reaches all through the first in a second", async () => {
    const conference = new TestConference(6, 5)
    conference.network.relays = false
    for (let index = 1; index < 6; index++) conference.join(`m${index}`, conference.identity(index))
    await conference.pass(2_000)
    for (const index of [1, 2, 4, 5]) conference.network.cutDirect("new", `m${index}`)
    const newcomer = conference.join("new", conference.identity(0))
    await conference.pass(1_200)
    expect(newcomer.links).toHaveLength(5)
    const paths = newcomer.of("path").map(({ path }) => path)
    expect(paths.toSorted()).toEqual(["direct", ...Array(4).fill("relayed-by-member")])
    for (const index of [1, 2, 4, 5]) conference.network.mend("new", `m${index}`)
    for (let tries = 0; tries < 4; tries++) {
      await conference.skip(8_000)
      await conference.pass(1_000)
    }
    for (const index of [0, 1, 3, 4]) expect(pathsTo(newcomer, conference.members[index]!).at(-1)).toBe("direct")
    for (const each of conference.members.slice(0, 5)) expect(linkEvents(newcomer, each)).toEqual(["linkUp"])
    expect(conference.members.flatMap(({ securityCodes }) => securityCodes)).toEqual([])
  })

  test("and so it is for a member whose room card the server keeps from the others", async () => {
    const conference = new TestConference(3, 6)
    conference.join("m1", conference.identity(1))
    conference.join("m2", conference.identity(2))
    await conference.pass(2_000)
    conference.network.onDelivery = (to, event) =>
      to === "m2" && (event.type === "room-advertisement" || event.type === "room-signal") ? [] : [event]
    const newcomer = conference.join("m0", conference.identity(0))
    await conference.pass(2_000)
    expect(newcomer.links).toHaveLength(2)
    await talks(conference, newcomer, conference.members[1]!)
  })
})
