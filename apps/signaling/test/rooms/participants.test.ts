import { createHash } from "node:crypto"
import {
  CHALLENGE_LIFETIME_MS,
  CONFERENCE_MEMBERS_MAX,
  PAGE_ENTRIES_MAX,
  type ProofPurpose,
} from "@keymoot/transport/signaling-protocol"
import { describe, expect, test, vi } from "vitest"
import { LIMITS } from "../../src/bounds/limits.ts"
import { freshKey, type Person, person, proofOf, prove } from "../certificates.ts"
import { bytesOf, type Client, creation, freshHex, inAnHour, join, putForward, serve } from "../clients.ts"
import { databases } from "../stores.ts"

const refused = (code: string) => ({ ok: false, code, message: expect.any(String) })
const plenty = { burst: 1_000, perSecond: 1_000 }
const generous = {
  requestsOf: {
    ...LIMITS.requestsOf,
    "participant:challenge": plenty,
    "participant:add": plenty,
    "participant:prove": plenty,
    "participant:remove": plenty,
    "conference:create": plenty,
  },
}

const add = (client: Client, who: Person, url: string, issuer?: Uint8Array) =>
  prove(client, who, url, "participant:add", issuer)

async function names(client: Client, prefix: string): Promise<string[]> {
  const reply = await client.ask("participant:list", { prefix })
  if (!reply.ok) throw new Error(reply.code)
  return reply.entries.map(({ name }) => name)
}

for (const kind of databases()) {
  test(`on ${kind.name}, a certificate is published, and found by name and fingerprint`, async () => {
    const { url } = await serve(kind.fresh().config)
    const [client, other] = [await join(url), await join(url, "polling")]
    for (const curve of ["ed25519", "P-256"] as const) {
      const zaphod = person(`Zaphod Beeblebröx ${curve}`, { curve })
      expect(await add(client, zaphod, url)).toEqual({ ok: true })
      const found = await other.ask("participant:list", { prefix: `zaphod beeblebröx ${curve.slice(0, 3)}` })
      expect(found).toEqual({ ok: true, entries: [{ fingerprint: zaphod.fingerprint, name: zaphod.name }] })
      const got = await other.ask("participant:get", { fingerprint: zaphod.fingerprint })
      expect(got.ok && new Uint8Array(got.certificate)).toEqual(zaphod.certificate)
    }
  })

  test(`on ${kind.name}, only a member lists the conferences that name it, page by page`, async () => {
    const { url } = await serve(kind.fresh().config, generous)
    const [host, guest, stranger] = [person("Host"), person("Guest"), person("Stranger")]
    const [atHost, atGuest, atStranger] = [await join(url), await join(url), await join(url)]
    await prove(atHost, host, url)
    const ids: string[] = []
    for (let number = 0; number < PAGE_ENTRIES_MAX + 1; number++) {
      const request = creation()
      ids.push(request.id)
      const roster = {
        members: [host.fingerprint, guest.fingerprint],
        startsAtMs: inAnHour() - 1_000 + number,
        endsAtMs: inAnHour(),
      }
      const listed = { ...request, expiresAtMs: inAnHour() + 60_000, roster }
      expect(await atHost.ask("conference:create", listed)).toEqual({ ok: true })
    }
    const over = { members: [guest.fingerprint], startsAtMs: 1, endsAtMs: Date.now() }
    const past = { ...creation(), roster: over }
    expect(await atHost.ask("conference:create", past)).toEqual({ ok: true })

    expect(await atGuest.ask("conference:list", {})).toEqual(refused("not-proved"))
    expect(await prove(atGuest, guest, url)).toEqual({ ok: true })
    const first = await atGuest.ask("conference:list", {})
    if (!first.ok || first.next === undefined) throw new Error("a first page with another behind it")
    const second = await atGuest.ask("conference:list", { after: first.next })
    if (!second.ok) throw new Error(second.code)
    expect([...first.entries, ...second.entries].map(({ id }) => id)).toEqual(ids)
    expect(second).not.toHaveProperty("next")
    expect(first.entries[0]).toMatchObject({ creator: host.fingerprint, endsAtMs: expect.any(Number) })

    await prove(atStranger, stranger, url)
    expect(await atStranger.ask("conference:list", {})).toEqual({ ok: true, entries: [] })
  })

  test(`on ${kind.name}, the holder of a key withdraws its certificate and frees its row`, async () => {
    const { url } = await serve(kind.fresh().config, { ...generous, participantsMax: 1 })
    const client = await join(url)
    const key = freshKey()
    const [before, after] = [person("Trillian", { key, notBeforeMs: 1 }), person("Tricia", { key })]
    expect(await add(client, after, url)).toEqual({ ok: true })
    expect(await prove(client, person("Trillian"), url, "participant:remove")).toEqual({ ok: true })
    expect(await names(client, "Tri")).toEqual(["Tricia"])
    expect(await prove(client, before, url, "participant:remove")).toEqual({ ok: true })
    expect(await names(client, "Tri")).toEqual([])
    expect(await client.ask("participant:get", { fingerprint: after.fingerprint })).toEqual(
      refused("unknown-participant"),
    )
    expect(await prove(client, after, url, "participant:remove")).toEqual({ ok: true })
    expect(await add(client, person("Ford"), url)).toEqual({ ok: true })
  })
}

describe("whoever is no member of a directory", () => {
  test("cannot list conferences for others without a name, or with times out of order", async () => {
    const { url } = await serve()
    const client = await join(url)
    const roster = { members: [person("Ada").fingerprint], startsAtMs: Date.now(), endsAtMs: inAnHour() - 1_000 }
    const listed = { ...creation(), roster }
    expect(await client.ask("conference:create", listed)).toEqual(refused("not-proved"))
    await prove(client, person("Eva"), url)
    for (const wrong of [
      { ...roster, endsAtMs: roster.startsAtMs },
      { ...roster, endsAtMs: inAnHour() + 60_000 },
      { ...roster, members: [] },
      { ...roster, members: [roster.members[0]!, roster.members[0]!] },
      { ...roster, members: Array.from({ length: CONFERENCE_MEMBERS_MAX + 1 }, () => freshHex() + freshHex()) },
    ]) {
      expect(await client.ask("conference:create", { ...listed, roster: wrong })).toEqual(refused("bad-request"))
    }
    expect(await client.ask("conference:create", listed)).toEqual({ ok: true })
  })

  test("hears that a participant is unknown, and that a place in a list is none", async () => {
    const { url } = await serve()
    const client = await join(url)
    expect(await client.ask("participant:get", { fingerprint: person("Nobody").fingerprint })).toEqual(
      refused("unknown-participant"),
    )
    await prove(client, person("Ada"), url)
    for (const after of ["x", "AAAA", Buffer.from(`${"0".repeat(64)}.a\0b`).toString("base64url")]) {
      expect(await client.ask("participant:list", { prefix: "a", after })).toEqual(refused("bad-request"))
      expect(await client.ask("conference:list", { after })).toEqual(refused("bad-request"))
    }
    for (const prefix of ["", "a\0", "\ud800", "x".repeat(61)]) {
      expect(await client.ask("participant:list", { prefix })).toEqual(refused("bad-request"))
    }
  })
})

test("lists nobody for longer than the server's bound, until it is published again", async () => {
  const { url } = await serve({}, { publishedMsMax: 3_600_000 })
  const client = await join(url)
  const ada = person("Ada", { notAfterMs: Date.parse("9999-12-31T23:59:59Z") })
  expect(await add(client, ada, url)).toEqual({ ok: true })
  expect(await names(client, "Ada")).toEqual(["Ada"])
  putForward(Date, 4_000_000)
  // A client takes its connection for dead when the clock leaps.
  const later = await join(url)
  expect(await names(later, "Ada")).toEqual([])
  expect(await add(later, ada, url)).toEqual({ ok: true })
  expect(await names(later, "Ada")).toEqual(["Ada"])
})

describe("a thief of certificates", () => {
  test("proves nothing without the key or challenge, or with an old or foreign challenge", async () => {
    const { url } = await serve({}, generous)
    const [client, other] = [await join(url), await join(url)]
    const ada = person("Ada")
    const thief: Person = { ...ada, privateKey: freshKey().privateKey }
    expect(await prove(client, thief, url)).toEqual(refused("bad-proof"))

    const challenge = async (of: Client) => {
      const reply = await of.ask("participant:challenge", {})
      if (!reply.ok) throw new Error(reply.code)
      return reply.challenge
    }
    const stale = proofOf(ada, "participant:prove", url, await challenge(client))
    expect(await client.ask("participant:prove", stale)).toEqual({ ok: true })
    expect(await client.ask("participant:prove", stale)).toEqual(refused("bad-proof"))
    const another = await join(url)
    expect(await another.ask("participant:prove", stale)).toEqual(refused("bad-proof"))
    await challenge(another)
    expect(await another.ask("participant:prove", stale)).toEqual(refused("bad-proof"))
    const overheard = proofOf(ada, "participant:prove", url, await challenge(other))
    await challenge(another)
    expect(await another.ask("participant:prove", overheard)).toEqual(refused("bad-proof"))
    const first = await challenge(another)
    await challenge(another)
    expect(await another.ask("participant:prove", proofOf(ada, "participant:prove", url, first))).toEqual(
      refused("bad-proof"),
    )
    expect(await another.ask("conference:list", {})).toEqual(refused("not-proved"))
  })

  test("cannot use a proof for something else, nor one that was made for another server", async () => {
    const { url } = await serve({ publicOrigins: ["https://meet.example"] })
    const client = await join(url)
    const ada = person("Ada")
    const ask = async (origin: string, signed: ProofPurpose, claimed = origin) => {
      const reply = await client.ask("participant:challenge", {})
      if (!reply.ok) throw new Error(reply.code)
      const proof = proofOf(ada, signed, origin, reply.challenge)
      return client.ask("participant:add", { ...proof, origin: claimed })
    }
    expect(await ask("https://meet.example", "participant:prove")).toEqual(refused("bad-proof"))
    expect(await ask("https://meet.example", "participant:remove")).toEqual(refused("bad-proof"))
    expect(await ask("https://evil.example", "participant:add")).toEqual(refused("wrong-origin"))
    expect(await ask("https://evil.example", "participant:add", "https://meet.example")).toEqual(refused("bad-proof"))
    expect(await names(client, "Ada")).toEqual([])
    expect(await ask("https://meet.example", "participant:add")).toEqual({ ok: true })
    const reply = await client.ask("participant:challenge", {})
    if (!reply.ok) throw new Error(reply.code)
    const proof = proofOf(ada, "participant:add", "https://meet.example", reply.challenge)
    expect(await client.ask("participant:remove", proof)).toEqual(refused("bad-proof"))
    expect(await names(client, "Ada")).toEqual(["Ada"])
  })

  test("finds a challenge good for a minute only", async () => {
    const { url } = await serve()
    const client = await join(url)
    const reply = await client.ask("participant:challenge", {})
    if (!reply.ok) throw new Error(reply.code)
    const now = performance.now()
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now + CHALLENGE_LIFETIME_MS + 1_000)
    try {
      const proof = proofOf(person("Ada"), "participant:prove", url, reply.challenge)
      expect(await client.ask("participant:prove", proof)).toEqual(refused("bad-proof"))
    } finally {
      clock.mockRestore()
    }
  })
})

describe("whoever forges a certificate", () => {
  test("gets an entry of its own and takes nobody's place", async () => {
    const { url } = await serve({}, generous)
    const client = await join(url)
    const authority = person("Authority", { isAuthority: true })
    const ada = person("Ada", { authority })
    expect(await add(client, ada, url, authority.certificate)).toEqual({ ok: true })
    expect(await add(client, person("Ada"), url)).toEqual({ ok: true })
    // An authority of the same name, and everything else as in the real one's certificate.
    const impostor = person("Authority", { isAuthority: true })
    const forged = person("Ada", { authority: impostor, notBeforeMs: Date.now() - 1_000 })
    expect(await add(client, forged, url, impostor.certificate)).toEqual({ ok: true })
    expect(await add(client, forged, url, authority.certificate)).toEqual(refused("bad-certificate"))
    expect(await names(client, "Ada")).toEqual(["Ada", "Ada", "Ada"])
    expect((await client.ask("participant:get", { fingerprint: ada.fingerprint })).ok).toBe(true)
  })

  test("replaces only what is its own, and only by something later", async () => {
    const { url } = await serve({}, generous)
    const client = await join(url)
    const authority = person("Authority", { isAuthority: true })
    const hourAgo = Date.now() - 3_600_000
    const before = person("Ada", { authority, notBeforeMs: hourAgo })
    const after = person("Ada", { authority, notBeforeMs: hourAgo + 60_000 })
    expect(await add(client, before, url, authority.certificate)).toEqual({ ok: true })
    expect(await add(client, after, url, authority.certificate)).toEqual({ ok: true })
    expect(await add(client, before, url, authority.certificate)).toEqual(refused("superseded"))
    const key = freshKey()
    const bob = person("Bob", { key, notBeforeMs: hourAgo })
    const renamed = person("Robert", { key, notBeforeMs: hourAgo + 60_000 })
    expect(await add(client, bob, url)).toEqual({ ok: true })
    expect(await add(client, renamed, url)).toEqual({ ok: true })
    expect(await add(client, bob, url)).toEqual(refused("superseded"))
    expect([await names(client, "Ada"), await names(client, "Bob"), await names(client, "Robert")]).toEqual([
      ["Ada"],
      [],
      ["Robert"],
    ])
  })

  test("is refused all but a participant's valid and correctly signed certificate", async () => {
    const { url } = await serve({}, generous)
    const client = await join(url)
    const authority = person("Authority", { isAuthority: true })
    const expired = person("Authority", { isAuthority: true, notAfterMs: Date.now() - 1_000 })
    const noAuthority = person("Authority")
    const good = person("Ada")
    const pem = `-----BEGIN CERTIFICATE-----\n${Buffer.from(good.certificate).toString("base64")}\n-----END CERTIFICATE-----\n`
    const bent = good.certificate.slice()
    bent[bent.length - 1]! ^= 1
    const withBytes = (certificate: Uint8Array): Person => ({
      ...good,
      certificate,
      fingerprint: createHash("sha256").update(certificate).digest("hex"),
    })
    const bad: readonly (readonly [string, Person, Uint8Array?])[] = [
      ["no certificate", withBytes(bytesOf("none"))],
      ["trailing bytes", withBytes(Buffer.concat([good.certificate, Uint8Array.of(0)]))],
      ["cut short", withBytes(good.certificate.subarray(0, -1))],
      ["PEM", withBytes(bytesOf(pem))],
      ["a wrong signature", withBytes(bent)],
      ["expired", person("Ada", { notAfterMs: Date.now() - 1_000 })],
      ["not yet valid", person("Ada", { notBeforeMs: Date.now() + 60_000 })],
      ["an authority's", authority],
      ["not self-signed, and its authority not shown", person("Ada", { authority })],
      ["not signed by the authority that is shown", good, authority.certificate],
      ["signed by no authority", person("Ada", { authority: noAuthority }), noAuthority.certificate],
      ["signed by an expired authority", person("Ada", { authority: expired }), expired.certificate],
      ["issued in another name", person("Ada", { authority, issuerName: "Other" }), authority.certificate],
      ["without a name", person("")],
      ["with control characters", person("A\u0000da")],
      ["with a line break", person("A\nda")],
      ["with too long a name", person("x".repeat(61))],
    ]
    for (const [what, who, issuer] of bad) {
      expect(await add(client, who, url, issuer), what).toEqual(refused("bad-certificate"))
    }
    expect(await add(client, good, url)).toEqual({ ok: true })
  })
})

test("a proof ends with its certificate", async () => {
  const { url } = await serve()
  const client = await join(url)
  // Before the connection would take so great a leap of its clock for a server that is gone.
  const notAfterMs = Math.ceil(Date.now() / 1_000) * 1_000 + 10_000
  const ada = person("Ada", { notAfterMs })
  expect(await add(client, ada, url)).toEqual({ ok: true })
  expect((await client.ask("conference:list", {})).ok).toBe(true)
  const now = vi.spyOn(Date, "now").mockImplementation(() => notAfterMs)
  try {
    expect(await client.ask("conference:list", {})).toEqual(refused("not-proved"))
    expect(await client.ask("participant:get", { fingerprint: ada.fingerprint })).toEqual(
      refused("unknown-participant"),
    )
    expect(await names(client, "Ada")).toEqual([])
  } finally {
    now.mockRestore()
  }
})

test("the directory has a bound, and says so", async () => {
  const { url } = await serve({}, { participantsMax: 1 })
  const client = await join(url)
  expect(await add(client, person("Ada"), url)).toEqual({ ok: true })
  expect(await add(client, person("Bob"), url)).toEqual(refused("storage-full"))
})
