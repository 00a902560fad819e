import { bytesToHex } from "@noble/hashes/utils.js"
import { expect, test } from "vitest"
import { type KeyAgreementName, loadSodiumGroup, type MemberId } from "@keymoot/gke"
import { Harness, memberNamed, type View } from "./harness.ts"
import { describeKeyTree, type KeyTree } from "./trees/describe-key-tree.ts"
import { createBdCodec } from "../src/bd/bd-codec.ts"
import { decodeMessage as decodeCkdMessage } from "../src/ckd/ckd-codec.ts"
import { createAttachmentCodec } from "../src/clusters/attachment.ts"
import { createGdhCodec } from "../src/gdh/gdh-codec.ts"
import { createKeyTreeCodec } from "../src/key-tree/tree-codec.ts"
import type { KeyTreeShape } from "../src/key-tree/shape.ts"
import { memberIdFromBytes } from "../src/shared/member-id.ts"
import { createSeatAttachmentCodec, type SeatAttachment } from "../src/seniority/seat-attachment.ts"
import { strShape } from "../src/str/str-shape.ts"
import { tgdhShape } from "../src/tgdh/tgdh-shape.ts"

const group = await loadSodiumGroup()
const attachments = createAttachmentCodec(group)
const nameOf = (id: MemberId): string => String.fromCodePoint(Number.parseInt(id.slice(0, 2), 16))
const short = (bytes: Uint8Array): string => bytesToHex(bytes.subarray(0, 4))

/** A module's bytes, as text. */
type Reader = {
  readonly module: KeyAgreementName
  attachment(bytes: Uint8Array): string
  message(bytes: Uint8Array): string
  /** The state when a view has ended. */
  state(bytes: Uint8Array, hash: Uint8Array): string
}

function treeReader(shape: KeyTreeShape): Reader {
  const codec = createKeyTreeCodec(group, shape)
  return {
    module: shape.module,
    attachment: readAttachment,
    message(bytes) {
      const message = codec.decodeMessage(bytes)!
      if (message.kind === "state") return `in round 0 its state in ${message.state.length} bytes`
      return `in round ${message.round} blinded keys ${message.blinded.map(short).join(" ")}`
    },
    state(bytes, hash) {
      const { tree, height } = describeKeyTree(shape.module, group, bytes)!
      return `tree ${drawn(tree)}, height ${height}, state ${short(hash)}`
    },
  }
}

const bdReader: Reader = {
  module: "bd",
  attachment: readAttachment,
  message(bytes) {
    const message = createBdCodec(group).decodeMessage(bytes)!
    return message.kind === "difference" ? `X ${short(message.difference)}` : `its share ${short(message.share)}`
  },
  state: () => "no state",
}

const gdhReader: Reader = {
  module: "gdh",
  attachment: (bytes) => readSeat(createSeatAttachmentCodec(0).decode(bytes)!),
  message(bytes) {
    const message = createGdhCodec(group).decode(bytes)!
    if (message.kind === "token") return `the token ${short(message.element)}, trail ${short(message.trail)}`
    if (message.kind === "broadcast") return `the token ${short(message.element)}`
    if (message.kind === "factored") return `it without its own share, ${short(message.element)}`
    const { partials, commitment, unicasts } = message.list
    return `partial keys ${partials.map(short).join(" ")}, commitment ${short(commitment)}, unicasts ${short(unicasts)}`
  },
  state: (bytes, hash) => `seats ${seatsIn(bytes, group.elementBytes)}, state ${short(hash)}`,
}

const ckdReader: Reader = {
  module: "ckd",
  attachment(bytes) {
    const attachment = createSeatAttachmentCodec(group.elementBytes).decode(bytes)!
    return `share ${short(attachment.share)}; ${readSeat(attachment)}`
  },
  message(bytes) {
    const { sealed, commitment } = decodeCkdMessage(bytes)!
    return `the secret sealed as ${sealed.map(short).join(" ")}, commitment ${short(commitment)}`
  },
  state: (bytes, hash) => `seats ${seatsIn(bytes)}, state ${short(hash)}`,
}

function readSeat({ standing }: SeatAttachment): string {
  if (!standing) return "no epoch"
  const { epochId, stateHash, place, sinceEpoch } = standing
  return `epoch ${short(epochId)}, state ${short(stateHash)}, place ${place} since ${sinceEpoch}`
}

function readAttachment(bytes: Uint8Array): string {
  const { share, standing, state } = attachments.decode(bytes)!
  const from = standing ? `epoch ${short(standing.epochId)}, state ${short(standing.stateHash)}` : "no epoch"
  return `share ${short(share)}; ${from}${state.length > 0 ? `, itself in ${state.length} bytes` : ""}`
}

/** A run as a script: what happened, who attached and multicast what, and what everybody has in the end. */
class Script {
  readonly #harness: Harness
  readonly #reader: Reader
  readonly #lines: string[] = []

  constructor(reader: Reader) {
    this.#reader = reader
    this.#harness = new Harness(group, { seed: "golden", module: reader.module })
  }

  start(names: string): void {
    for (const name of names) this.#harness.start(name)
  }

  change(why: string, names: string): void {
    this.#say("", `# ${why}`)
    const proposal = this.#harness.propose([...names].map(memberNamed))
    const view = this.#harness.install(proposal)
    const rounds = this.#harness.settle(view.members)
    this.#say(`view ${proposal.id.epoch} of ${[...names].join(" ")}`)
    for (const [member, bytes] of view.attachments)
      this.#say(`  ${nameOf(member)} attaches ${this.#reader.attachment(bytes)}`)
    for (const [i, { from, bytes }] of view.log.entries()) {
      this.#sayUnicasts(view, i)
      this.#say(`  ${nameOf(from)} multicasts ${this.#reader.message(bytes)}`)
    }
    this.#sayOutcome(view, rounds)
  }

  text(): string {
    return `${this.#lines.join("\n").trim()}\n`
  }

  #sayUnicasts(view: View, after: number): void {
    for (const { from, to, bytes } of view.unicasts.filter((unicast) => unicast.after === after))
      this.#say(`  ${nameOf(from)} sends ${nameOf(to)} ${this.#reader.message(bytes)}`)
  }

  #sayOutcome(view: View, rounds: number): void {
    const secrets = view.members.map((member) => this.#harness.member(member).secret)
    const [secret, ...others] = new Set(
      secrets.map((s) => `${s?.secret.slice(0, 8)}, transcript ${s?.transcript.slice(0, 8)}`),
    )
    const { bytes, hash } = this.#harness.member(view.members[0]!).agreement.publicState()
    this.#say(`  ${this.#reader.state(bytes, hash)}; rounds ${rounds}`)
    this.#say(`  everybody: secret ${secret}`, ...others.map((other) => `  BUT ALSO: ${other}`))
    for (const { at, member, reason } of this.#harness.faults)
      this.#say(`  FAULT ${nameOf(at)} of ${nameOf(member)}: ${reason}`)
  }

  #say(...lines: string[]): void {
    this.#lines.push(...lines)
  }
}

/** With the epoch that brought in each share. */
function drawn(tree: KeyTree): string {
  if ("member" in tree) return `${nameOf(tree.member)}${tree.sinceEpoch}`
  return `(${drawn(tree.left)} ${drawn(tree.right)})`
}

/** In order of seats, with the epoch of each, as in the trees. A seat is an id, eight bytes of epoch, and under GDH partial keys after all. */
function seatsIn(bytes: Uint8Array, partialBytes = 0): string {
  const count = (bytes.length - 1) / (24 + partialBytes)
  return Array.from({ length: count }, (_, seat) => {
    const at = 1 + 24 * seat
    const owner = memberIdFromBytes(bytes.subarray(at, at + 16))
    return nameOf(owner) + Number(new DataView(bytes.buffer, bytes.byteOffset + at + 16).getBigUint64(0))
  }).join(" ")
}

/** Each begins with a, b, c and d in a view; `play` is what the transcript is about. */
const EVENTS: readonly { readonly event: string; readonly play: (script: Script) => void }[] = [
  {
    event: "join",
    play(script) {
      script.start("e")
      script.change("e joins", "abcde")
    },
  },
  { event: "leave", play: (script) => script.change("c leaves", "abd") },
  {
    event: "partition",
    play(script) {
      script.change("the network splits: here are a and c …", "ac")
      script.change("… and there are b and d", "bd")
    },
  },
  {
    event: "merge",
    play(script) {
      script.start("efg")
      script.change("elsewhere, e, f and g have met", "efg")
      script.change("both groups meet", "abcdefg")
    },
  },
  { event: "refresh", play: (script) => script.change("the same members go on", "abcd") },
  {
    event: "reload",
    play(script) {
      script.start("a")
      script.change("a, the lowest, reloads", "abcd")
    },
  },
]

for (const reader of [treeReader(tgdhShape), treeReader(strShape), bdReader, gdhReader, ckdReader]) {
  for (const { event, play } of EVENTS) {
    test(`${reader.module}: a ${event} sends exactly what it sent when this was written`, async () => {
      const script = new Script(reader)
      script.start("abcd")
      script.change("a opens the conference with b, c and d", "abcd")
      play(script)
      await expect(script.text()).toMatchFileSnapshot(`golden/${reader.module}/${event}.txt`)
    })
  }
}

test("tgdh: a small conference, up to a merge, sends the recorded bytes", async () => {
  const script = new Script(treeReader(tgdhShape))
  script.start("abcde")
  script.change("a opens the conference, alone", "a")
  script.change("b joins", "ab")
  script.change("c and d join together", "abcd")
  script.change("e joins", "abcde")
  script.change("b leaves", "acde")
  script.change("the same members: the oldest share is refreshed", "acde")
  script.start("a")
  script.change("a reloads, so nobody has attached the state: c sends it", "acde")
  script.change("the network splits: here are a and c …", "ac")
  script.change("… and there are d and e", "de")
  script.change("it heals", "acde")
  await expect(script.text()).toMatchFileSnapshot("golden/tgdh/small-conference.txt")
})
