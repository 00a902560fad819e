/**
 * A key agreement in one round: each member attaches a fresh share, and the first member seals a fresh seed to each
 * other one. It keeps nothing between views. It shows the interface; the built-in modules detect more lies of members.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"

const BYTES = 32
const NO_STATE = { hash: new Uint8Array(0), bytes: new Uint8Array(0) }

/** @type {import("@keymoot/core/engine").OwnKeyAgreement} */
export const freshStar = {
  name: "own:fresh-star",
  create: ({ group, self }) => new FreshStar(group, self),
}

class FreshStar {
  #group
  #self
  /** Secret share behind the last contribution, and the contribution; null once a view has used it. */
  #pending = null
  /** The present view while its key is being agreed. */
  #run = null
  #structure = null

  constructor(group, self) {
    this.#group = group
    this.#self = self
  }

  publicState() {
    return NO_STATE
  }

  structure() {
    return this.#structure
  }

  /** Everybody needs the leader's message and nothing else. */
  awaiting() {
    return this.#run ? [this.#run.leader] : []
  }

  step(input) {
    if (input.type === "contribute") return this.#contribute(input.random)
    if (input.type === "view") return this.#start(input.view, input.random)
    if (input.type === "message") return this.#receive(input)
    return []
  }

  erase() {
    this.#pending?.share.fill(0)
    this.#pending = null
    this.#end()
    this.#structure = null
  }

  /** A new proposal erases the share of the one before. The present view goes on: it has its own. */
  #contribute(random) {
    this.#pending?.share.fill(0)
    const share = this.#group.randomScalar(random)
    this.#pending = { share, bytes: this.#group.multiplyBase(share) }
    return [{ type: "contribution", bytes: this.#pending.bytes.slice() }]
  }

  #start({ sid, members, attachments }, random) {
    this.#end()
    const share = this.#pending?.share ?? null
    this.#pending = null
    const seed = hash("seed", random, sid)
    if (members.length === 1) return this.#secret(members, seed, hash("transcript", sid))

    if (!share) throw new Error("contribute to a proposal before its view")
    const elements = new Map()
    for (const member of members) {
      const element = this.#group.decode(attachments.get(member) ?? new Uint8Array(0))
      if ("rejected" in element) return [{ type: "fault", member, reason: "malformed-attachment" }]
      elements.set(member, element)
    }
    const [leader, ...others] = members
    this.#run = { sid, members, elements, leader, others, share, seed: null }
    if (leader !== this.#self) return []
    this.#run.seed = seed
    const sealed = others.map((member) => xor(seed, this.#pad(member, member)))
    return [{ type: "multicast", bytes: concatBytes(hash("commitment", seed, sid), ...sealed) }]
  }

  #receive({ from, via, bytes }) {
    const run = this.#run
    const reason = !run || from !== run.leader || via !== "multicast" ? "unexpected-message" : this.#fault(run, bytes)
    if (reason) return [{ type: "fault", member: from, reason }]
    const commitment = bytes.slice(0, BYTES)
    const place = BYTES * (run.others.indexOf(this.#self) + 1)
    const seed = run.seed ?? xor(bytes.slice(place, place + BYTES), this.#pad(run.leader, this.#self))
    if (!isEqual(hash("commitment", seed, run.sid), commitment)) {
      this.#end()
      return [{ type: "fault", member: from, reason: "wrong-key" }]
    }
    const elements = run.members.map((member) => run.elements.get(member))
    const outputs = this.#secret(run.members, seed, hash("transcript", run.sid, ...elements, bytes))
    this.#end()
    return outputs
  }

  #fault({ members }, bytes) {
    if (bytes.length === BYTES * members.length) return null
    this.#end()
    return "malformed-message"
  }

  /** Hides the seed from everybody but the leader and `receiver`. */
  #pad(other, receiver) {
    const { elements, share, sid } = this.#run
    const shared = this.#group.multiply(elements.get(other), share)
    const pad = hash("pad", shared, sid, utf8ToBytes(receiver))
    shared.fill(0)
    return pad
  }

  #secret(members, seed, transcript) {
    const secret = hash("secret", seed, transcript)
    seed.fill(0)
    this.#structure = { kind: "star", seats: members.map((member) => ({ member, isNew: true })) }
    return [{ type: "secret", secret, transcript }]
  }

  #end() {
    this.#run?.share.fill(0)
    this.#run?.seed?.fill(0)
    this.#run = null
  }
}

/** All parts behind the label have fixed lengths in each use. */
function hash(label, ...parts) {
  return sha256(concatBytes(utf8ToBytes(`own:fresh-star ${label}\0`), ...parts))
}

function xor(a, b) {
  return a.map((byte, i) => byte ^ b[i])
}

function isEqual(a, b) {
  return a.every((byte, i) => byte === b[i])
}
