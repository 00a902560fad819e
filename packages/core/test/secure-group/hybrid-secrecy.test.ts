/**
 * An attacker that is handed all results of one agreement of a hybrid conference. It adds everything that its real state
 * and the traffic give of the other one.
 */
import type { Kem, KeyAgreementName, MemberId } from "@keymoot/gke"
import type * as Gke from "@keymoot/gke"
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import { describe, expect, test, vi } from "vitest"
import {
  type DerivableSecrets,
  derivableFromSeals,
  derivableInRing,
  derivableInTree,
  recording,
} from "../../../gke/test/secrecy/eavesdropper.ts"
import { derivableSeeds, kemSecret } from "../../../gke/test/kem/kem-eavesdropper.ts"
import { strShape } from "../../../gke/src/str/str-shape.ts"
import { tgdhShape } from "../../../gke/src/tgdh/tgdh-shape.ts"
import { decodeAgreementBody } from "../../src/secure-group/agreement-body.ts"
import { splitAttachment } from "../../src/secure-group/attachments.ts"
import { ids, Room, toolbox } from "./hybrid-room.ts"

/** Inputs of both derivations, as the members used them. */
const used = vi.hoisted(() => ({
  classical: [] as Gke.EpochKeyInput[],
  hybrid: [] as Gke.HybridEpochKeyInput[],
}))
vi.mock(import("@keymoot/gke"), async (load) => {
  const gke = await load()
  return {
    ...gke,
    epochKey: (input: Gke.EpochKeyInput) => {
      used.classical.push(structuredClone(input))
      return gke.epochKey(input)
    },
    hybridEpochKey: (input: Gke.HybridEpochKeyInput) => {
      used.hybrid.push(structuredClone(input))
      return gke.hybridEpochKey(input)
    },
  }
})
const { epochKey, hybridEpochKey } = await vi.importActual<typeof Gke>("@keymoot/gke")

/** Length of the digest of the statements in front of an attachment. */
const DIGEST_BYTES = 32
const MODULES: readonly (readonly [KeyAgreementName, DerivableSecrets])[] = [
  ["tgdh", derivableInTree(tgdhShape)],
  ["str", derivableInTree(strShape)],
  ["bd", derivableInRing],
  ["ckd", derivableFromSeals],
]
const FORMER = ids[1]!
const NEWCOMER = ids[5]!
const [a, b, c, d, e, f] = ids as [MemberId, MemberId, MemberId, MemberId, MemberId, MemberId]
const VIEWS = [
  [a, b, c, d],
  [a, b, c, d, e],
  [a, c, d, e],
  [a, c, d, e, f],
]

type Given = { readonly classical: boolean; readonly postQuantum: boolean }
type Parts = { readonly classical: Uint8Array | null; readonly postQuantum: Uint8Array | null }

/** A conference of which everything is recorded: traffic, and the secrets of each member. */
class Recorded {
  readonly #derivableSecrets: DerivableSecrets
  readonly #minds = new Map(ids.map((id) => [id, { scalars: recording(toolbox.group), kemKeys: [] as Uint8Array[] }]))
  readonly #room: Room
  readonly #keys: string[] = []
  readonly #known = new Map<MemberId | null, Parts[]>()
  readonly #results: { readonly classical: Gke.EpochKeyInput; readonly hybrid: Gke.HybridEpochKeyInput }[] = []

  constructor(module: KeyAgreementName, derivableSecrets: DerivableSecrets) {
    this.#derivableSecrets = derivableSecrets
    this.#room = new Room(module, undefined, (id) => this.#toolsOf(id))
    for (const members of VIEWS) {
      used.classical.length = used.hybrid.length = 0
      this.#room.view(members)
      expect(this.#room.secured.size).toBe(members.length)
      this.#keys.push(this.#room.keys.get(a)!)
      this.#results.push({ classical: used.classical[0]!, hybrid: used.hybrid[0]! })
    }
  }

  #toolsOf(id: MemberId) {
    const { scalars, kemKeys } = this.#minds.get(id)!
    const keyPair: Kem["keyPair"] = (seed) => {
      const pair = toolbox.kem.keyPair(seed)
      kemKeys.push(pair.secretKey.slice())
      return pair
    }
    return { group: scalars.group, kem: { ...toolbox.kem, keyPair } }
  }

  /** The traffic of one of both agreements, as its own attacker reads it. */
  #viewsOf(part: "classical" | "postQuantum") {
    const type = part === "classical" ? "message" : "postQuantum"
    return this.#room.history.map(({ view, frames }, at) => ({
      sid: this.#results[at]![part === "classical" ? "classical" : "hybrid"].sid,
      members: view.members.map(({ id }) => id),
      proposal: view.proposal,
      attachments: new Map(
        [...view.attachments].map(([id, bytes]) => [id, splitAttachment(bytes.slice(DIGEST_BYTES))[part]]),
      ),
      log: frames.flatMap(({ origin, body }) => {
        const message = decodeAgreementBody(body)!
        return message.type === type ? [{ from: origin, bytes: message.bytes }] : []
      }),
    }))
  }

  #classicalSecrets(attacker: MemberId | null): Uint8Array[] {
    const scalars = attacker ? this.#minds.get(attacker)!.scalars.copies : []
    const views = this.#viewsOf("classical") as unknown as Parameters<DerivableSecrets>[2]
    return [...this.#derivableSecrets(toolbox.group, scalars, views)].map(hexToBytes)
  }

  #seeds(attacker: MemberId | null): Uint8Array[] {
    if (!attacker) return []
    const views = this.#viewsOf("postQuantum")
    const allKeys = [...this.#minds.values()].flatMap(({ kemKeys }) => kemKeys)
    const own = VIEWS.flatMap((members, at) =>
      members.includes(attacker) ? [bytesToHex(this.#results[at]!.hybrid.postQuantum)] : [],
    )
    const held = derivableSeeds(toolbox.kem, views, allKeys).filter((seed) =>
      VIEWS.some(({ length }) => own.includes(bytesToHex(kemSecret(seed, length)))),
    )
    return derivableSeeds(toolbox.kem, views, this.#minds.get(attacker)!.kemKeys, held)
  }

  /** The module's key and the post-quantum secret of each view, null where this attacker does not come by it. */
  #partsOf(attacker: MemberId | null): Parts[] {
    const [secrets, seeds] = [this.#classicalSecrets(attacker), this.#seeds(attacker)]
    return this.#results.map(({ classical, hybrid }, at) => ({
      // Transcripts and session ids are public, and so is this room's invitation.
      classical: secrets.map((secret) => epochKey({ ...classical, secret })).find(equals(hybrid.classical)) ?? null,
      postQuantum: seeds.map((seed) => kemSecret(seed, VIEWS[at]!.length)).find(equals(hybrid.postQuantum)) ?? null,
    }))
  }

  /** Which views' keys the attacker computes. null: it has never been a member. Zeros replace what it does not know. */
  opened(attacker: MemberId | null, given: Given): boolean[] {
    const parts = this.#known.get(attacker) ?? this.#partsOf(attacker)
    this.#known.set(attacker, parts)
    return this.#results.map(({ hybrid }, at) => {
      const nothing = new Uint8Array(32)
      const classical = given.classical ? hybrid.classical : (parts[at]!.classical ?? nothing)
      const postQuantum = given.postQuantum ? hybrid.postQuantum : (parts[at]!.postQuantum ?? nothing)
      return bytesToHex(hybridEpochKey({ ...hybrid, classical, postQuantum })) === this.#keys[at]
    })
  }
}

const equals =
  (expected: Uint8Array) =>
  (bytes: Uint8Array): boolean =>
    bytesToHex(bytes) === bytesToHex(expected)

const NOTHING: Given = { classical: false, postQuantum: false }
const EVERY_VIEW = VIEWS.map(() => true)

describe.each(MODULES)("a hybrid conference under %s", (module, derivableSecrets) => {
  const recorded = new Recorded(module, derivableSecrets)

  test("is open to a member's real state, so the tests' attacker is real", () => {
    expect(recorded.opened(c, NOTHING)).toEqual(EVERY_VIEW)
  })

  test.each<[string, MemberId | null]>([
    ["former member", FORMER],
    ["newcomer", NEWCOMER],
    ["stranger", null],
  ])("stays closed to a %s given one part of all views, but not both", (_, attacker) => {
    const own = VIEWS.map((members) => attacker !== null && members.includes(attacker))
    expect(recorded.opened(attacker, NOTHING)).toEqual(own)
    expect(recorded.opened(attacker, { ...NOTHING, classical: true })).toEqual(own)
    expect(recorded.opened(attacker, { ...NOTHING, postQuantum: true })).toEqual(own)
    expect(recorded.opened(attacker, { classical: true, postQuantum: true })).toEqual(EVERY_VIEW)
  })
})
