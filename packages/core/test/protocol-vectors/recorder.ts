/**
 * Records a conference of real engines at one member: the frames that it sent and received, its secrets, and what it
 * delivered. The recording has no hop protection: it begins where docs/protocol/v1.md says "link message".
 */
import type { MemberCredential } from "../../src/identity/certificates/credential-checker.ts"
import { LoopbackNetwork } from "@keymoot/transport/testing"
import type { HostFactory } from "@keymoot/transport/host"
import { decodeFrame, type ProposalId, type View } from "@keymoot/transport"
import { bytesToHex } from "@noble/hashes/utils.js"
import type { KeyAgreementName, PostQuantum } from "../../src/api/index.ts"
import { Conference } from "../../src/client/conference.ts"
import type { Identity } from "../../src/client/identity.ts"
import { GroupDriver } from "../../src/driver/group-driver.ts"
import type { EpochKeys } from "../../src/secure-group/epoch-keys.ts"
import { HybridKeys } from "../../src/secure-group/hybrid-keys.ts"
import { ViewKeys } from "../../src/secure-group/view-keys.ts"
import { createMemoryStore } from "../../src/identity/memory-store.ts"
import { openInProcess } from "../../src/node/open-identity.ts"

const SERVER = "https://meet.example"
const FRAME_TAG = 1
/** Pairs between the two sides of the partition. */
const ACROSS = [
  ["Ada", "Cy"],
  ["Ada", "Dee"],
  ["Bob", "Cy"],
  ["Bob", "Dee"],
] as const

/** Published recordings, by the names of their files. */
export const RECORDINGS: Readonly<Record<string, readonly [KeyAgreementName, PostQuantum]>> = {
  conference: ["tgdh", "off"],
  gdh: ["gdh", "off"],
  ckd: ["ckd", "off"],
  hybrid: ["tgdh", "hybrid"],
}

export type Recording = {
  readonly about: string
  readonly member: string
  readonly link: string
  readonly descriptor: string
  readonly certificates: readonly string[]
  /** Random bytes of this member's key agreement, in the order of its views. */
  readonly randomness: readonly { readonly view: string; readonly module: Drawn; readonly postQuantum?: Drawn }[]
  readonly frames: readonly string[]
  /** Messages that this member delivered, in its order. */
  readonly delivered: readonly { readonly author: string; readonly text: string }[]
}

/** Random bytes that a member drew for its contribution to a view and at the beginning of that view. */
type Drawn = { readonly share: string; readonly random: string }
type Contributing = Pick<EpochKeys, "contribute" | "begin">

/** Captures what the keys of the first member draw. Other members run in the same process. */
class CapturedDraws {
  readonly views = new Map<string, Drawn>()
  readonly #shares = new Map<string, string>()
  readonly #end: () => void
  #first: Contributing | null = null

  constructor(prototype: Contributing) {
    const { contribute, begin } = prototype
    const [shares, views] = [this.#shares, this.views]
    const isFirst = (keys: Contributing): boolean => (this.#first ??= keys) === keys
    prototype.contribute = function (this: Contributing, proposal, members) {
      if (!isFirst(this)) return contribute.call(this, proposal, members)
      const { result, drawn } = drawing(() => contribute.call(this, proposal, members))
      shares.set(nameOf(proposal), drawn)
      return result
    }
    prototype.begin = function (this: Contributing, view: View, digest: Uint8Array) {
      if (!isFirst(this)) return begin.call(this, view, digest)
      const { result, drawn } = drawing(() => begin.call(this, view, digest))
      views.set(view.id, { share: shares.get(nameOf(view.proposal))!, random: drawn })
      return result
    }
    this.#end = () => Object.assign(prototype, { contribute, begin })
  }

  end(): void {
    this.#end()
  }
}

function nameOf({ epoch, coordinator }: ProposalId): string {
  return `${epoch} ${coordinator}`
}

/** Runs it with its one draw. A draw inside of another `drawing` belongs to that one only. */
function drawing<T>(run: () => T): { readonly result: T; readonly drawn: string } {
  const outer = Object.getOwnPropertyDescriptor(crypto, "getRandomValues")
  const draw = (Object.getPrototypeOf(crypto) as Crypto).getRandomValues.bind(crypto)
  const drawn: string[] = []
  const value = <A extends ArrayBufferView>(array: A): A => {
    draw(array as never)
    drawn.push(bytesToHex(new Uint8Array(array.buffer, array.byteOffset, array.byteLength)))
    return array
  }
  Object.defineProperty(crypto, "getRandomValues", { value, configurable: true })
  try {
    const result = run()
    return { result, drawn: drawn[0]! }
  } finally {
    Reflect.deleteProperty(crypto, "getRandomValues")
    if (outer) Object.defineProperty(crypto, "getRandomValues", outer)
  }
}

/** Captures the first driver that ticks after this call. Its own frames are those that arrive at the other drivers. */
class Capture {
  readonly certificates = new Set<string>()
  readonly frames = new Set<string>()
  readonly #drivers = new Set<GroupDriver>()
  readonly #original = { tick: GroupDriver.prototype.tick, handle: GroupDriver.prototype.handle }
  readonly #module = new CapturedDraws(ViewKeys.prototype)
  readonly #postQuantum = new CapturedDraws(HybridKeys.prototype)

  /** `isOwn`: whether the captured driver's member sent this frame. */
  constructor(isOwn: (frame: Uint8Array) => boolean) {
    const { tick, handle } = this.#original
    const { certificates, frames } = this
    const drivers = this.#drivers
    GroupDriver.prototype.tick = function (this: GroupDriver, nowMs) {
      drivers.add(this)
      tick.call(this, nowMs)
    }
    GroupDriver.prototype.handle = function (this: GroupDriver, output) {
      const isCaptured = drivers.keys().next().value === this
      if (output.type === "frame" && output.bytes[0] === FRAME_TAG) {
        const frame = output.bytes.subarray(1)
        if (isCaptured || isOwn(frame)) frames.add(bytesToHex(frame))
      } else if (output.type === "linkUp" && isCaptured) {
        certificates.add(bytesToHex((output.credential as MemberCredential).certificate))
      }
      handle.call(this, output)
    }
  }

  get randomness(): Recording["randomness"] {
    return [...this.#module.views].map(([view, module]) => {
      const postQuantum = this.#postQuantum.views.get(view)
      return { view, module, ...(postQuantum && { postQuantum }) }
    })
  }

  /** Requests a new key at each member. Only the lowest one starts a view of the same members. */
  refresh(): void {
    for (const driver of this.#drivers) driver.refresh()
  }

  end(): void {
    Object.assign(GroupDriver.prototype, this.#original)
    this.#module.end()
    this.#postQuantum.end()
  }
}

/** Records a short conference: joins, a partition, a merge, a refresh, a leave, and messages in each view. */
export async function recordConference(
  keyAgreement: KeyAgreementName = "tgdh",
  postQuantum: PostQuantum = "off",
): Promise<Recording> {
  let member: string | null = null
  const capture = new Capture((frame) => decodeFrame(frame)?.origin === member)
  const network = new LoopbackNetwork({ schedule: (task) => void setImmediate(task) })
  const identities: Identity[] = []
  let descriptor = ""
  const hostOf = (name: string): HostFactory => {
    const factory = network.createHost(name)
    return (...given) => {
      const host = factory(...given)
      const post: typeof host.post = (command, ...rest) => {
        if ("descriptor" in command) descriptor = bytesToHex(command.descriptor)
        host.post(command, ...rest)
      }
      return Object.assign(Object.create(host) as typeof host, { post })
    }
  }
  const open = async (name: string): Promise<Identity> => {
    const identity = await openInProcess(name, createMemoryStore(), hostOf(name))
    identities.push(identity)
    return identity
  }
  try {
    const adas = await open("Ada")
    const ada = await Conference.create({ server: SERVER, identity: adas, keyAgreement, postQuantum })
    member = ada.self.id
    const delivered: { author: string; text: string }[] = []
    const chat = (conference: Conference) => conference.channel("chat", { history: true })
    chat(ada).on("message", ({ from, text }) => delivered.push({ author: from.name, text }))
    const { url } = ada.invitation
    const said = async (expected: number): Promise<void> => until(() => delivered.length === expected)

    const bob = await joined(await open("Bob"), url, ada, 2)
    await chat(ada).send("Hello, Bob")
    await chat(bob).send("Hello, Ada ✓")
    await said(2)
    const cy = await joined(await open("Cy"), url, ada, 3)
    await Promise.all([chat(ada).send("one"), chat(bob).send("two"), chat(cy).send("three")])
    await said(5)
    const dee = await joined(await open("Dee"), url, ada, 4)
    await chat(dee).send("Who is here?")
    await said(6)
    for (const [one, other] of ACROSS) network.cut(one, other)
    await until(() => [ada, bob, cy, dee].every((conference) => isSecured(conference, 2)))
    await chat(bob).send("Only Ada reads this")
    await said(7)
    for (const [one, other] of ACROSS) network.mend(one, other)
    await until(() => [ada, bob, cy, dee].every((conference) => isSecured(conference, 4)))
    await chat(cy).send("Together again")
    await said(8)
    const { epoch } = ada.view
    capture.refresh()
    await until(() => ada.view.epoch > epoch && isSecured(ada, 4))
    await chat(ada).send("Under a new key")
    await said(9)
    await bob.leave()
    await until(() => [ada, cy, dee].every((conference) => isSecured(conference, 3)))
    await chat(dee).send("Bob does not read this")
    await said(10)
    return {
      about: "A conference of Ada, Bob, Cy and Dee, recorded at Ada",
      member,
      link: url,
      descriptor,
      certificates: [...capture.certificates],
      randomness: capture.randomness,
      frames: [...capture.frames],
      delivered,
    }
  } finally {
    capture.end()
    for (const identity of identities) await identity.close()
  }
}

async function joined(identity: Identity, url: string, first: Conference, members: number): Promise<Conference> {
  const conference = await Conference.join({ url, identity })
  await until(() => isSecured(first, members) && isSecured(conference, members))
  return conference
}

function isSecured(conference: Conference, members: number): boolean {
  return conference.view.status === "secured" && conference.view.members.length === members
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => void setTimeout(resolve, 5))
}
