/** Members of a hybrid conference and the views that a script gives them. Frames are delivered at once, in one order. */
import { aesGcm } from "../../src/ciphers/aes-gcm.ts"
import { type Kem, type KEY_AGREEMENT_NAMES, loadKem, type PrimeOrderGroup } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { type GroupFrame, type MemberId, memberIdFromBytes, type View } from "@keymoot/transport"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, randomBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { decodeAgreementBody } from "../../src/secure-group/agreement-body.ts"
import { SecureGroup, type SecureGroupOutput } from "../../src/secure-group/secure-group.ts"

const hash = (text: string): Uint8Array => sha256(utf8ToBytes(text))
const NOTHING_SAID = new Uint8Array(32)
export const ids: readonly MemberId[] = Array.from({ length: 6 }, (_, i) =>
  memberIdFromBytes(new Uint8Array(16).fill(i + 1)),
)
export const toolbox = { kem: await loadKem(), group: createToyGroup() }

export type Module = (typeof KEY_AGREEMENT_NAMES)[number]
type Mode = "off" | "hybrid"
type Tools = { readonly kem: Kem; readonly group: PrimeOrderGroup }
type Sent = { readonly origin: MemberId; readonly body: Uint8Array }

export class Room {
  readonly keys = new Map<MemberId, string>()
  readonly secured = new Set<MemberId>()
  readonly faults: { readonly at: MemberId; readonly member: MemberId; readonly reason: string }[] = []
  readonly sent: string[] = []
  /** All views and their frames. */
  readonly history: { readonly view: View; readonly frames: readonly Sent[] }[] = []
  readonly groups: ReadonlyMap<MemberId, SecureGroup>
  /** Attachments and bodies as an attacker changes them. */
  changeAttachment = (_: MemberId, bytes: Uint8Array): Uint8Array => bytes
  changeBody = (_: MemberId, bytes: Uint8Array): Uint8Array | null => bytes
  /** Bodies as one receiver gets them. */
  changeDelivery = (_to: MemberId, bytes: Uint8Array): Uint8Array => bytes
  #epoch = 0
  #waiting: Sent[] = []

  constructor(
    module: Module,
    modeOf: (member: MemberId) => Mode = () => "hybrid",
    toolsOf: (member: MemberId) => Tools = () => toolbox,
  ) {
    const make = (self: MemberId): SecureGroup =>
      new SecureGroup({
        self,
        ...toolsOf(self),
        module,
        conferenceId: new Uint8Array(16),
        descriptorHash: new Uint8Array(32),
        cipher: aesGcm,
        postQuantum: modeOf(self),
        invitation: new Uint8Array(32),
        random: { bytes: randomBytes },
        prints: { of: hash },
      })
    this.groups = new Map(ids.map((self) => [self, make(self)]))
  }

  view(members: readonly MemberId[]): void {
    const epoch = ++this.#epoch
    const proposal = { epoch, coordinator: members[0]! }
    const instances = members.map((id) => ({ id, incarnation: 1 }))
    const attachments = new Map<MemberId, Uint8Array>()
    for (const id of members)
      for (const output of this.groups
        .get(id)!
        .step({ type: "flushRequest", proposal, members: instances, first: true, statementsDigest: NOTHING_SAID }))
        if (output.type === "flushed") attachments.set(id, this.changeAttachment(id, output.attachment))
    const id = bytesToHex(hash(`view ${epoch}`)) as View["id"]
    const view: View = { id, epoch, proposal, members: instances, transitional: members, features: [], attachments }
    this.keys.clear()
    this.secured.clear()
    this.sent.length = 0
    const frames: Sent[] = []
    this.history.push({ view, frames })
    for (const member of members) this.take(member, this.groups.get(member)!.step({ type: "view", view }))
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      frames.push(next)
      for (const member of members) {
        const body = this.changeDelivery(member, next.body)
        const frame = { kind: "agreement", origin: next.origin, message: { dependencies: [], body } }
        const delivery = { frame: frame as unknown as GroupFrame, globalSequence: 0 }
        this.take(member, this.groups.get(member)!.step({ type: "deliver", delivery }))
      }
    }
  }

  take(member: MemberId, outputs: readonly SecureGroupOutput[]): void {
    for (const output of outputs) {
      if (output.type === "keyed") this.keys.set(member, bytesToHex(output.epochKey))
      if (output.type === "secured") this.secured.add(member)
      if (output.type === "fault") this.faults.push({ at: member, member: output.member, reason: output.reason })
      if (output.type !== "multicast" && output.type !== "proof") continue
      this.sent.push(decodeAgreementBody(output.body)!.type)
      const body = this.changeBody(member, output.body)
      if (body) this.#waiting.push({ origin: member, body })
    }
  }
}
