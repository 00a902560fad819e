import type { MemberId, View } from "@keymoot/transport"
import { afterEach, describe, expect, test, vi } from "vitest"
import { INSTALL_MS_MAX, MediaKeys } from "../../../src/media/epochs/media-keys.ts"
import type { MediaKeyMessage } from "../../../src/media/keys/key-messages.ts"
import type { MediaMember } from "../../../src/media/keys/media-view.ts"

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
  removed: MemberId[] = []
  closedPorts = 0
  /** The newest media worker has the keys of that view. */
  reply: (view: string) => void = () => undefined

  constructor(self: MediaMember) {
    this.keys = new MediaKeys({
      self,
      rules: {
        role: (member) => (this.viewers.includes(member) ? "viewer" : "editor"),
        isRemoved: (member) => this.removed.includes(member),
      },
      faults: {
        fail: (error) => {
          throw error
        },
      },
    })
  }

  attach(): this {
    this.keys.attach({
      postMessage: (message) => this.posted.push(message),
      addEventListener: (_, listener) => (this.reply = (view) => listener({ data: { type: "installed", view } })),
      start: () => undefined,
      close: () => this.closedPorts++,
    })
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

  test("come to a call that starts later when their view is the present one", async () => {
    const early = new Engine(ADA).attach().secure(both, epochKey(1))
    const late = new Engine(ADA).secure(both, epochKey(1)).attach()
    expect(await late.types(5)).toEqual(["self", "view", "speakers", "keyed", "secured"])
    expect(await printsOf(late)).toEqual(await printsOf(early))
  })

  test("come to nobody when their view is a former one", async () => {
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
  engine.removed = [BOB.member]
  engine.keys.onRoles()
  await engine.types(7)
  const posted = engine.posted.filter((message) => message.type === "speakers")
  expect(posted.map(({ members }) => members)).toEqual([[BOB.member], [ADA.member, BOB.member], [ADA.member]])
  expect(posted.map(({ removed }) => removed)).toEqual([[], [], [BOB.member]])
})

describe("the proof of a key", () => {
  afterEach(() => void vi.useRealTimers())

  /** Begins a view, and tells its name when its proof is sent. */
  const prove = (engine: Engine, view: View, proved: string[]): void => {
    engine.keys.onAgreeing(view)
    engine.keys.onKeyed(view, epochKey(view.epoch))
    engine.keys.onceInstalled(() => proved.push(view.id[0]!))
  }
  const [second, third, fourth] = [2, 3, 4].map((epoch) => viewOf(epoch, String(epoch), ADA)) as [View, View, View]

  test("waits for the media worker in a call only", () => {
    const proved: string[] = []
    const engine = new Engine(ADA)
    prove(engine, both, proved)
    expect(proved).toEqual(["1"])
    prove(engine.attach(), second, proved)
    expect(proved).toEqual(["1"])
    engine.reply(second.id)
    engine.reply(second.id)
    expect(proved).toEqual(["1", "2"])
    engine.keys.attach(null)
    prove(engine, third, proved)
    expect(proved).toEqual(["1", "2", "3"])
  })

  test("does not wait any more when the call ends", () => {
    const proved: string[] = []
    const engine = new Engine(ADA).attach()
    prove(engine, both, proved)
    engine.keys.attach(null)
    expect(proved).toEqual(["1"])
  })

  test("waits for the keys of its own view, and of the present media worker", () => {
    const proved: string[] = []
    const engine = new Engine(ADA).attach()
    const { reply: formerReply } = engine
    prove(engine.attach(), second, proved)
    engine.reply(both.id)
    formerReply(second.id)
    expect(proved).toEqual([])
    engine.reply(second.id)
    expect(proved).toEqual(["2"])
  })

  test("is never sent when the view changes before", () => {
    vi.useFakeTimers()
    const proved: string[] = []
    const engine = new Engine(ADA).attach()
    prove(engine, both, proved)
    prove(engine, second, proved)
    engine.reply(both.id)
    vi.advanceTimersByTime(INSTALL_MS_MAX)
    expect(proved).toEqual(["2"])
  })

  test("waits for a media worker that hangs once, and again after its reply", () => {
    vi.useFakeTimers()
    const proved: string[] = []
    const engine = new Engine(ADA).attach()
    prove(engine, both, proved)
    vi.advanceTimersByTime(INSTALL_MS_MAX - 1)
    expect(proved).toEqual([])
    vi.advanceTimersByTime(1)
    expect(proved).toEqual(["1"])
    prove(engine, second, proved)
    expect(proved).toEqual(["1", "2"])
    engine.reply(both.id)
    prove(engine, third, proved)
    expect(proved).toEqual(["1", "2"])
    engine.keys.close()
    engine.keys.attach(null)
    prove(engine, fourth, proved)
    expect(proved).toEqual(["1", "2", "4"])
  })
})
