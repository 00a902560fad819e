/**
 * Records a conference of real engines at one member: the frames that it sent and received, its secrets, and what it
 * delivered. The recording has no hop protection: it begins where docs/protocol/v1.md says "link message".
 */
import { loadSodiumGroup } from "@keymoot/gke"
import type { MemberCredential } from "../../src/identity/index.ts"
import { LoopbackNetwork } from "@keymoot/transport/testing"
import type { HostFactory } from "@keymoot/transport/host"
import { decodeFrame } from "@keymoot/transport"
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import type { KeyAgreementName } from "../../src/api/index.ts"
import { Conference } from "../../src/client/conference.ts"
import type { Identity } from "../../src/client/identity.ts"
import { GroupDriver } from "../../src/driver/group-driver.ts"
import { createMemoryStore } from "../../src/identity/index.ts"
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
const ATTACHED_RANDOM_BYTES = 64

export type Recording = {
  readonly about: string
  readonly member: string
  readonly link: string
  readonly descriptor: string
  readonly certificates: readonly string[]
  /** Random bytes behind this member's shares, in the order in which they were drawn. */
  readonly shareRandom: readonly string[]
  readonly frames: readonly string[]
  /** Messages that this member delivered, in its order. */
  readonly delivered: readonly { readonly author: string; readonly text: string }[]
}

/** Captures the first driver that ticks after this call. Its own frames are those that arrive at the other drivers. */
class Capture {
  readonly certificates = new Set<string>()
  readonly frames = new Set<string>()
  readonly drawn: Uint8Array[] = []
  readonly #drivers = new Set<GroupDriver>()
  readonly #original = { tick: GroupDriver.prototype.tick, handle: GroupDriver.prototype.handle }
  readonly #draw = crypto.getRandomValues.bind(crypto)

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
    const fill = <A extends ArrayBufferView>(array: A): A => {
      this.#draw(array as never)
      if (array.byteLength === ATTACHED_RANDOM_BYTES)
        this.drawn.push(new Uint8Array(array.buffer, array.byteOffset, array.byteLength).slice())
      return array
    }
    Object.defineProperty(crypto, "getRandomValues", { value: fill, configurable: true })
  }

  /** Requests a new key at each member. Only the lowest one starts a view of the same members. */
  refresh(): void {
    for (const driver of this.#drivers) driver.refresh()
  }

  end(): void {
    Object.assign(GroupDriver.prototype, this.#original)
    Reflect.deleteProperty(crypto, "getRandomValues")
  }
}

/** Records a short conference: joins, a partition, a merge, a refresh, a leave, and messages in each view. */
export async function recordConference(keyAgreement: KeyAgreementName = "tgdh"): Promise<Recording> {
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
    const ada = await Conference.create({ server: SERVER, identity: adas, keyAgreement, postQuantum: "off" })
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
      shareRandom: await ownShares(member, capture),
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

/** Keeps the random bytes behind the shares that this member attached to its SYNCs. */
async function ownShares(member: string, { drawn, frames }: Capture): Promise<string[]> {
  const group = await loadSodiumGroup()
  const syncs = [...frames].flatMap((hex) => {
    const frame = decodeFrame(hexToBytes(hex))
    if (frame?.kind === "sync") return [frame]
    return frame?.kind === "install" ? frame.message.syncs.flatMap((bytes) => decodeFrame(bytes) ?? []) : []
  })
  const attached = syncs.flatMap((frame) =>
    frame.kind === "sync" && frame.origin === member ? [bytesToHex(frame.message.attachment)] : [],
  )
  const own = drawn.filter((bytes) => {
    const blinded = bytesToHex(group.multiplyBase(group.randomScalar(bytes)))
    return attached.some((attachment) => attachment.includes(blinded))
  })
  return own.map((bytes) => bytesToHex(bytes))
}
