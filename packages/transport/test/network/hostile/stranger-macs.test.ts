/** A stranger's message costs a member MACs, and nothing else (see `hostile-server.test.ts`). */
import { bytesToHex } from "@noble/hashes/utils.js"
import { beforeEach, expect, test, vi } from "vitest"
import type { RoomAddress } from "../../../src/port/port.ts"
import { INVITATION_KEYS_MAX } from "../../../src/network/shared/keyring.ts"
import { TestConference } from "../conference.ts"
import { conferenceId, SERVER } from "../member.ts"

const count = vi.hoisted(() => ({ hmacs: 0, seals: 0 }))
vi.mock("@noble/hashes/hmac.js", async (original) => {
  const real = await original<typeof import("@noble/hashes/hmac.js")>()
  const hmac = (...args: Parameters<typeof real.hmac>) => {
    count.hmacs += 1
    return real.hmac(...args)
  }
  return { ...real, hmac: Object.assign(hmac, real.hmac) }
})
vi.mock("@noble/ciphers/chacha.js", async (original) => {
  const real = await original<typeof import("@noble/ciphers/chacha.js")>()
  const xchacha20poly1305 = (...args: Parameters<typeof real.xchacha20poly1305>) => {
    count.seals += 1
    return real.xchacha20poly1305(...args)
  }
  return { ...real, xchacha20poly1305: Object.assign(xchacha20poly1305, real.xchacha20poly1305) }
})
beforeEach(() => void Object.assign(count, { hmacs: 0, seals: 0 }))

const MESSAGES = 100
const room = bytesToHex(conferenceId)

/** A member that holds as many invitations as are heard, and has heard what a stranger sent. */
async function hear(part: "advertisement" | "envelope") {
  const conference = new TestConference(1)
  const { random } = conference
  const keys = () => ({ signal: random.bytes(32), advertisement: random.bytes(32), association: random.bytes(32) })
  const formerKeys = Array.from({ length: 2 * INVITATION_KEYS_MAX }, keys)
  const member = conference.join("member", conference.identity(0), { formerKeys })
  await conference.network.run()
  await conference.pass(1_000)
  const before = { ...count, commands: member.commands.length }
  const from = bytesToHex(random.bytes(16)) as RoomAddress
  for (let index = 0; index < MESSAGES; index++) {
    const bytes = random.bytes(400)
    bytes[0] = 1
    const place = { server: SERVER, room, from } as const
    if (part === "advertisement") {
      conference.network.inject("member", { type: "room-advertisement", ...place, advertisement: bytes })
    } else conference.network.inject("member", { type: "room-signal", ...place, envelope: bytes })
  }
  await conference.network.run()
  expect(member.commands.length).toBe(before.commands)
  return { hmacs: count.hmacs - before.hmacs, seals: count.seals - before.seals }
}

test("an advertisement costs a MAC for each invitation that is heard", async () => {
  expect(MESSAGES).toBeGreaterThanOrEqual(10 * INVITATION_KEYS_MAX)
  expect(await hear("advertisement")).toEqual({ hmacs: 0, seals: MESSAGES * INVITATION_KEYS_MAX })
})

test("a signal costs a MAC for each invitation that is heard", async () => {
  expect(await hear("envelope")).toEqual({ hmacs: MESSAGES * INVITATION_KEYS_MAX, seals: 0 })
})
