/** The end of a conference as its creator announces it, and what strangers cannot put in its place. */
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { ANNOUNCED_END_BYTES, encodeAnnouncedEnd, endSigningBytes } from "@keymoot/transport/signaling-protocol"
import { expect, test } from "vitest"
import { type Client, creation, freshHex, join, serve } from "../clients.ts"

function person() {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519")
  const key = new Uint8Array(Buffer.from(publicKey.export({ format: "jwk" }).x!, "base64url"))
  return { privateKey, key }
}
const [creator, stranger] = [person(), person()]

function endOf(id: string, saidAtMs: number, privateKey: KeyObject = creator.privateKey): Uint8Array {
  const times = { endsAtMs: 1_000, saidAtMs }
  return encodeAnnouncedEnd(times, sign(null, endSigningBytes(id, times), privateKey))
}

async function conferenceOf(client: Client, creatorKey: Uint8Array | null = creator.key): Promise<string> {
  const request = { ...creation(), ...(creatorKey && { creatorKey }) }
  expect(await client.ask("conference:create", request)).toEqual({ ok: true })
  return request.id
}

async function told(client: Client, id: string): Promise<Uint8Array | null> {
  const found = await client.ask("conference:get", { id })
  if (!found.ok) throw new Error(found.code)
  return found.end === undefined ? null : new Uint8Array(Buffer.from(found.end, "hex"))
}

test("tells the end to a client that asks after its creator has announced it", async () => {
  const { url } = await serve()
  const [ada, bob] = [await join(url), await join(url, "polling")]
  const id = await conferenceOf(ada)
  expect(await told(bob, id)).toBe(null)
  const end = endOf(id, 5)
  expect(await ada.ask("conference:end", { id, end })).toEqual({ ok: true })
  expect(await told(bob, id)).toEqual(end)
})

test("keeps the last end when its creator changes it, and refuses the former one", async () => {
  const { url } = await serve()
  const ada = await join(url)
  const id = await conferenceOf(ada)
  const [first, second] = [endOf(id, 5), endOf(id, 6)]
  for (const end of [first, second, second]) expect(await ada.ask("conference:end", { id, end })).toEqual({ ok: true })
  const mallory = await join(url)
  expect(await mallory.ask("conference:end", { id, end: first })).toMatchObject({ code: "superseded" })
  expect(await told(ada, id)).toEqual(second)
})

test("refuses an end that the creator of this conference has not signed", async () => {
  const { url } = await serve()
  const mallory = await join(url)
  const [id, other] = [await conferenceOf(mallory), await conferenceOf(mallory)]
  const altered = endOf(id, 5)
  altered[15]! ^= 1
  const forged = [endOf(id, 5, stranger.privateKey), endOf(other, 5), altered, new Uint8Array(ANNOUNCED_END_BYTES)]
  for (const end of forged)
    expect(await mallory.ask("conference:end", { id, end })).toMatchObject({ code: "bad-proof" })
  expect(await told(mallory, id)).toBe(null)
})

test("refuses an end of another size, and of times that are none", async () => {
  const { url } = await serve()
  const mallory = await join(url)
  const id = await conferenceOf(mallory)
  const longer = new Uint8Array(ANNOUNCED_END_BYTES + 1)
  expect(await mallory.ask("conference:end", { id, end: longer })).toMatchObject({ code: "too-large" })
  const beyond = new Uint8Array(ANNOUNCED_END_BYTES).fill(0xff)
  for (const end of [endOf(id, 5).subarray(0, ANNOUNCED_END_BYTES - 1), beyond])
    expect(await mallory.ask("conference:end", { id, end })).toMatchObject({ code: "bad-request" })
  expect(await told(mallory, id)).toBe(null)
})

test("refuses an end when the conference is unknown or was made without a key", async () => {
  const { url } = await serve()
  const ada = await join(url)
  const [id, unknown] = [await conferenceOf(ada, null), freshHex()]
  expect(await ada.ask("conference:end", { id, end: endOf(id, 5) })).toMatchObject({ code: "bad-proof" })
  expect(await ada.ask("conference:end", { id: unknown, end: endOf(unknown, 5) })).toMatchObject({
    code: "unknown-conference",
  })
})

test("counts ends against the storage quota of a network address", async () => {
  const { url } = await serve({}, { storedPerAddress: { burst: 10_000, perSecond: 0.001 } })
  const ada = await join(url)
  const id = await conferenceOf(ada)
  expect(await ada.ask("conference:end", { id, end: endOf(id, 5) })).toEqual({ ok: true })
  expect(await ada.ask("conference:end", { id, end: endOf(id, 6) })).toMatchObject({ code: "rate-limited" })
})
