import type { MemberId, View } from "@keymoot/transport"
import { describe, expect, test } from "vitest"
import { MediaKeys } from "../../src/media/epochs/media-keys.ts"
import type { MediaKeyMessage } from "../../src/media/keys/key-messages.ts"
import type { MediaMember } from "../../src/media/keys/index.ts"

const ADA: MediaMember = { member: "a".repeat(32) as MemberId, incarnation: 1 }
const BOB: MediaMember = { member: "b".repeat(32) as MemberId, incarnation: 1 }

/** Used part of a view. */
function viewOf(epoch: number, id: string, ...members: MediaMember[]): View {
  const present = members.map(({ member, incarnation }) => ({ id: member, incarnation }))
  return { id: id.repeat(64).slice(0, 64), epoch, members: present } as unknown as View
}

const epochKey = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const both = viewOf(1, "1", ADA, BOB)

class Engine {
  readonly posted: MediaKeyMessage[] = []
  readonly keys: MediaKeys
  viewers: MemberId[] = []
  closedPorts = 0

  constructor(self: MediaMember) {
    this.keys = new MediaKeys({
      self,
      mayPublish: (member) => !this.viewers.includes(member),
      fail: (error) => {
        throw error
      },
    })
  }

  attach(): this {
    this.keys.attach({ postMessage: (message) => this.posted.push(message), close: () => this.closedPorts++ })
    return this
  }

  secure(view: View, key: Uint8Array): this {
    this.keys.onAgreeing(view)
    this.keys.onKeyed(view, key)
    this.keys.onSecured(view)
    return this
  }

  /** The types of the messages, once there are so many. */
  async types(count: number): Promise<string[]> {
    await expect.poll(() => this.posted.length).toBe(count)
    return this.posted.map(({ type }) => type)
  }

  async lastKeys(): Promise<(MediaKeyMessage & { type: "keyed" })["keys"]> {
    await expect.poll(() => this.posted.filter(({ type }) => type === "secured").length).toBeGreaterThan(0)
    return (this.posted.findLast(({ type }) => type === "keyed") as MediaKeyMessage & { type: "keyed" }).keys
  }
}

/** Distinguishes keys that cannot be exported: the same nonce and text give the same bytes only under the same key. */
async function printsOf(engine: Engine): Promise<string[]> {
  const iv = new Uint8Array(12)
  return Promise.all(
    (await engine.lastKeys()).map(async ({ key, salt }) => {
      const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, iv)
      return Buffer.from([...new Uint8Array(sealed), ...salt]).toString("hex")
    }),
  )
}

describe("keys for the media worker", () => {
  test("are equal at both members, and differ between senders", async () => {
    const ada = await printsOf(new Engine(ADA).attach().secure(both, epochKey(1)))
    const bob = await printsOf(new Engine(BOB).attach().secure(both, epochKey(1)))
    expect(bob).toEqual(ada)
    expect(new Set(ada).size).toBe(2)
  })

  test("differ with the epoch key, the view, the member and the incarnation", async () => {
    const prints = await Promise.all(
      [
        [both, 1],
        [both, 2],
        // Under majority one epoch key serves several views.
        [viewOf(1, "2", ADA, BOB), 1],
        [viewOf(1, "1", ADA, { ...BOB, incarnation: 2 }), 1],
        [viewOf(1, "1", ADA, { ...BOB, member: "e".repeat(32) as MemberId }), 1],
      ].map(([view, key]) => printsOf(new Engine(ADA).attach().secure(view as View, epochKey(key as number)))),
    )
    expect(new Set(prints.map(([, bob]) => bob)).size).toBe(5)
  })

  test("cannot be extracted", async () => {
    for (const { key } of await new Engine(ADA).attach().secure(both, epochKey(1)).lastKeys()) {
      expect(key.extractable).toBe(false)
      await expect(crypto.subtle.exportKey("raw", key)).rejects.toThrow()
    }
  })

  test("come after their view and before its end of agreement", async () => {
    const engine = new Engine(ADA).attach().secure(both, epochKey(1))
    const once = ["view", "speakers", "keyed", "secured"]
    expect(await engine.types(5)).toEqual(["self", ...once])
    engine.secure(viewOf(2, "2", ADA), epochKey(2))
    expect(await engine.types(9)).toEqual(["self", ...once, ...once])
  })

  test("do not delay the next view, which may stop the sending key", async () => {
    const engine = new Engine(ADA).attach().secure(both, epochKey(1))
    engine.keys.onAgreeing(viewOf(2, "2", ADA))
    expect(engine.posted.map(({ type }) => type)).toEqual(["self", "view", "speakers", "view", "speakers"])
    expect((await engine.types(7)).slice(5)).toEqual(["keyed", "secured"])
  })

  test("of the present view come to a call that starts later", async () => {
    const early = new Engine(ADA).attach().secure(both, epochKey(1))
    const late = new Engine(ADA).secure(both, epochKey(1)).attach()
    expect(await late.types(5)).toEqual(["self", "view", "speakers", "keyed", "secured"])
    expect(await printsOf(late)).toEqual(await printsOf(early))
  })

  test("of a former view come to nobody", async () => {
    const engine = new Engine(ADA).secure(both, epochKey(1))
    engine.keys.onAgreeing(viewOf(2, "2", ADA))
    expect(await engine.attach().types(3)).toEqual(["self", "view", "speakers"])
  })

  test("leave the epoch key to its owner", () => {
    const key = epochKey(1)
    new Engine(ADA).secure(both, key)
    expect(key).toEqual(epochKey(1))
  })

  test("end with the conference, and with a second media worker", async () => {
    const engine = new Engine(ADA).attach().attach()
    expect(engine.closedPorts).toBe(1)
    engine.secure(both, epochKey(1)).keys.close()
    expect((await engine.types(7)).at(-1)).toBe("closed")
  })
})

test("the members that may publish follow each view and each change of roles", async () => {
  const engine = new Engine(ADA).attach()
  engine.viewers = [ADA.member]
  engine.secure(both, epochKey(1))
  engine.viewers = []
  engine.keys.onRoles()
  await engine.types(6)
  const speakers = engine.posted.flatMap((message) => (message.type === "speakers" ? [message.members] : []))
  expect(speakers).toEqual([[BOB.member], [ADA.member, BOB.member]])
})
