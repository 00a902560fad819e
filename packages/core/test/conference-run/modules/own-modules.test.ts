/** Conferences with modules of an embedder, and engines that lack them. */
import { afterEach, expect, test, vi } from "vitest"
import { aesCtrHmac } from "../../../../../examples/own-modules/cipher.js"
import { freshStar } from "../../../../../examples/own-modules/key-agreement.js"
import { Conference } from "../../../src/client/conference.ts"
import { openIdentityInNode } from "../../../src/node/index.ts"
import { Directory } from "../../../src/runtime/directory.ts"
import { received, Room, securedWith, SERVER } from "../harness.ts"

let room = new Room()
afterEach(async () => {
  vi.restoreAllMocks()
  await room.close()
  room = new Room()
})

const cipher = aesCtrHmac.name

test("messages, a file and history arrive under an embedder's cipher", async () => {
  room.modules = { ciphers: [aesCtrHmac] }
  const create = vi.spyOn(aesCtrHmac, "create")
  const ada = await room.create("Ada", { cipher })
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  const [said] = await Promise.all([received(ada, "chat", 1), bob.channel("chat", { history: true }).send("hello")])
  expect(said[0]!.text).toBe("hello")
  expect(create).toHaveBeenCalled()

  const content = Uint8Array.from({ length: 300_000 }, (_, i) => (i * i) & 255)
  const { ticket } = await ada.files.offer(new Blob([content]), { name: "plan" })
  const file = bob.files.open(ticket, ada.self.id)
  await file.fetch()
  expect(new Uint8Array(await (await file.blob()).arrayBuffer())).toEqual(content)

  const eve = await room.join("Eve", ada.invitation.url)
  expect((await received(eve, "chat", 1))[0]!.text).toBe("hello")
  expect([ada.cipher, bob.cipher, eve.cipher]).toEqual([cipher, cipher, cipher])
})

test("members come and go under an embedder's key agreement, hybrid or not", async () => {
  room.modules = { keyAgreements: [freshStar] }
  const keyAgreement = freshStar.name
  for (const postQuantum of ["off", "hybrid"] as const) {
    const ada = await room.create(`Ada ${postQuantum}`, { keyAgreement, postQuantum })
    const bob = await room.join(`Bob ${postQuantum}`, ada.invitation.url)
    await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
    const eve = await room.join(`Eve ${postQuantum}`, ada.invitation.url)
    await Promise.all([ada, bob, eve].map((conference) => securedWith(conference, 3)))
    await ada.leave()
    await Promise.all([bob, eve].map((conference) => securedWith(conference, 2)))
    const [said] = await Promise.all([received(eve, "chat", 1), bob.channel("chat", { history: true }).send("hello")])
    expect(said[0]!.text).toBe("hello")
    expect([bob.keyAgreement, (await eve.keyStructure())?.kind]).toEqual([keyAgreement, "star"])
  }
})

test("a person whose program lacks the key agreement is refused before entering", async () => {
  room.modules = { keyAgreements: [freshStar] }
  const ada = await room.create("Ada", { keyAgreement: freshStar.name })
  room.modules = {}
  await expect(room.join("Bob", ada.invitation.url)).rejects.toMatchObject({
    code: "missing-module",
    message: expect.stringContaining(`the key agreement "${freshStar.name}"`),
  })
})

const missing = { code: "missing-module", message: expect.stringContaining(`the cipher "${cipher}"`) }

test("a person whose program lacks the module is refused before entering", async () => {
  room.modules = { ciphers: [aesCtrHmac] }
  const ada = await room.create("Ada", { cipher })
  await securedWith(ada, 1)
  const codes: string[] = []
  ada.on("security", ({ code }) => codes.push(code))
  room.modules = {}
  const identity = await room.identity("Bob")
  const { url } = ada.invitation
  await expect(Conference.preview({ url, identity })).rejects.toMatchObject(missing)
  await expect(Conference.join({ url, identity })).rejects.toMatchObject(missing)
  expect(await Conference.kept({ identity })).toEqual([])
  room.modules = { ciphers: [aesCtrHmac] }
  await room.join("Eve", url)
  await securedWith(ada, 2)
  expect(codes).toEqual([])
})

test("a conference with a module that its creator lacks is not made", async () => {
  const made = vi.spyOn(Directory.prototype, "create")
  await expect(room.create("Ada", { cipher })).rejects.toMatchObject(missing)
  const identity = await room.identity("Eve")
  const later = { server: SERVER, identity, cipher, opensAtMs: Date.now() + 3_600_000 } as const
  await expect(Conference.schedule(later)).rejects.toMatchObject(missing)
  expect(made).not.toHaveBeenCalled()
})

test.each([
  ["a built-in name", [{ ...aesCtrHmac, name: "aes-256-gcm" }], 'take "own:"'],
  ["no name", [{ ...aesCtrHmac, name: "own:" }], 'take "own:"'],
  ["a long name", [{ ...aesCtrHmac, name: `own:${"x".repeat(61)}` }], 'take "own:"'],
  ["one name twice", [aesCtrHmac, aesCtrHmac], `Two modules have the name "${cipher}"`],
] as const)("an engine does not start when modules have %s", async (_, ciphers, message) => {
  const wrtc = { RTCPeerConnection: Object } as never
  await expect(openIdentityInNode({ name: "Bot", wrtc, modules: { ciphers } })).rejects.toMatchObject({
    code: "invalid-argument",
    message: expect.stringContaining(message),
  })
})

test("a cipher's name that is no name of a module is refused", async () => {
  const identity = await room.identity("Ada")
  for (const name of ["own:", "own:A", "mine", `own:${"x".repeat(61)}`])
    await expect(Conference.create({ server: SERVER, identity, cipher: name as never })).rejects.toMatchObject({
      code: "invalid-argument",
      message: expect.stringContaining("cipher must be one of"),
    })
})
