import type { MemberId } from "@keymoot/transport"
import { expect, test } from "vitest"
import { EntryRules, type EntryRulesConfig, keyOf, printOf } from "../../src/admission/entry-rules.ts"
import { bearerOf, type Standing } from "../../src/admission/statements/standing.ts"
import { Gate, KNOCKS_MAX, type NeighbourUp, REFUSED_MS } from "../../src/admission/gate.ts"

const HOST = new Uint8Array(32)
const personOf = (index: number): NeighbourUp => {
  const publicKey = new Uint8Array(32)
  new DataView(publicKey.buffer).setUint32(0, index + 1)
  const member = `${index}`.padStart(32, "0") as MemberId
  const credential = { member, publicKey, certificate: publicKey.slice(), name: "" }
  return { type: "linkUp", peer: member, incarnation: 1, credential, keys: {} } as unknown as NeighbourUp
}

/** Gate of a conference in which a host admits people. */
function gateOfHost() {
  const expelled: MemberId[] = []
  const hosts = [Buffer.from(HOST).toString("hex")]
  const standing = {
    digest: "",
    hosts,
    everHosts: new Set(hosts),
    removed: new Set(),
    tickets: [],
    stayed: new Set(),
    everAdmitted: new Set<string>(),
    roles: new Map(),
    end: { atMs: 0, by: null },
  }
  const config = {
    descriptor: { admission: { policy: "approval" } },
    self: { member: "host", publicKey: HOST, certificate: HOST },
    invitations: { present: () => null, isPresent: () => false, isUnproven: () => false },
    known: { get: () => undefined },
  } as unknown as EntryRulesConfig
  const gate = new Gate(new EntryRules(config, standing as unknown as Standing, 0), (output) => {
    if (output.type !== "expel") return
    expelled.push(output.member)
    gate.down({ type: "linkDown", peer: output.member, reason: "" })
  })
  const admit = ({ credential }: NeighbourUp): void => {
    const ticket = { subject: keyOf(credential), fingerprint: printOf(credential), expiresAtMs: 1 }
    standing.tickets.push(ticket as never)
    gate.review()
  }
  const admittedBefore = ({ credential }: NeighbourUp): void =>
    void standing.everAdmitted.add(bearerOf({ subject: keyOf(credential), fingerprint: printOf(credential) }))
  return { gate, expelled, admit, admittedBefore }
}

test("shows a host at most the bound of waiting people when ten times as many knock", () => {
  const { gate, expelled } = gateOfHost()
  for (let i = 0; i < 10 * KNOCKS_MAX; i++) gate.up(personOf(i))
  gate.tick(0)
  gate.tick(1_000)
  expect(gate.knocks).toHaveLength(KNOCKS_MAX)
  expect(gate.linked).toHaveLength(KNOCKS_MAX)
  expect(expelled).toHaveLength(9 * KNOCKS_MAX)
})

test("meets nobody else who knocks until there is room", () => {
  const { gate } = gateOfHost()
  for (let i = 0; i < KNOCKS_MAX; i++) gate.up(personOf(i))
  const [one, more] = [personOf(0), personOf(KNOCKS_MAX)]
  const mayLink = ({ credential, keys }: NeighbourUp): boolean => gate.mayLink(credential, keys)
  expect(mayLink(one)).toBe(true)
  expect(mayLink(more)).toBe(false)
  gate.down({ type: "linkDown", peer: one.peer, reason: "gone" } as never)
  expect(mayLink(more)).toBe(true)
})

test("meets people who were here before when strangers take all places", () => {
  const { gate, admittedBefore } = gateOfHost()
  for (let i = 0; i < KNOCKS_MAX; i++) gate.up(personOf(i))
  const back = Array.from({ length: KNOCKS_MAX + 1 }, (_, i) => personOf(KNOCKS_MAX + i))
  for (const person of back) {
    admittedBefore(person)
    expect(gate.mayLink(person.credential, person.keys)).toBe(person !== back.at(-1))
    gate.up(person)
  }
  gate.tick(0)
  gate.tick(1_000)
  expect(gate.knocks).toHaveLength(2 * KNOCKS_MAX)
})

test("links with a refused person again when another host has admitted it", () => {
  const { gate, expelled, admit } = gateOfHost()
  const person = personOf(0)
  gate.up(person)
  gate.refuse(person.peer)
  gate.tick(1_000)
  expect(expelled).toEqual([person.peer])
  expect(gate.mayLink(person.credential, person.keys)).toBe(false)
  admit(person)
  expect(gate.mayLink(person.credential, person.keys)).toBe(true)
  expect(gate.mayLink(person.credential, null)).toBe(true)
  gate.up(person)
  expect(gate.isInside(person.peer)).toBe(true)
})

test("shows a refused person to the host again when the time of the refusal is over", () => {
  const { gate, expelled } = gateOfHost()
  const person = personOf(0)
  const mayLink = (): boolean => gate.mayLink(person.credential, person.keys)
  gate.up(person)
  gate.refuse(person.peer)
  expect(gate.knocks).toEqual([])
  gate.tick(REFUSED_MS - 1)
  expect(expelled).toEqual([person.peer])
  expect(mayLink()).toBe(false)
  gate.tick(REFUSED_MS)
  expect(mayLink()).toBe(true)
  gate.up(person)
  expect(gate.knocks.map(({ id }) => id)).toEqual([person.peer])
})
