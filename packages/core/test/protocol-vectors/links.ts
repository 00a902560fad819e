import { ed25519, x25519 } from "@noble/curves/ed25519.js"
import { bytesToHex, concatBytes } from "@noble/hashes/utils.js"
import type { Kem } from "@keymoot/gke"
import { memberIdToBytes } from "@keymoot/transport"
import { Association } from "../../../transport/src/network/association/association.ts"
import { createHop, type Hop } from "../../../transport/src/network/association/hop.ts"
import {
  associationKeys,
  hybridTranscriptHash,
  initiatorProofKey,
  nextHopKeys,
  otherRole,
  transcriptHash,
  type HopKeys,
  type Role,
} from "../../../transport/src/network/association/transcript.ts"
import {
  sealAdvertisement,
  signedByCard,
  card,
  type RoomCard,
} from "../../../transport/src/network/messages/room-card.ts"
import { Envelopes } from "../../../transport/src/network/messages/envelope.ts"
import { encodeSignal } from "../../../transport/src/network/messages/signal.ts"
import { Keyring } from "../../../transport/src/network/shared/keyring.ts"
import { PROTOCOL } from "../../../transport/src/network/shared/protocol.ts"
import { fixedBytes } from "./fixed-randomness.ts"
import type { Person } from "./people.ts"
import type { VectorFile } from "./vector-file.ts"

const scope = { conferenceId: fixedBytes("conference", 16), descriptorHash: fixedBytes("descriptor") }
const keys = {
  signal: fixedBytes("signal key"),
  advertisement: fixedBytes("advertisement key"),
  association: fixedBytes("association key"),
}
const INCARNATION = 3

const NONE: Uint8Array = new Uint8Array(0)
const NO_ENCAPSULATION = { encapsulationKey: NONE, ciphertext: NONE, kemSecret: NONE }

/** Handshake of a link, its keys, the first hop frames and a rekey: of two classical links and a hybrid one. */
export function associationFile([ada, bob]: readonly [Person, Person], kem: Kem): VectorFile {
  const linkTypes = ["webrtc", "relay"] as const
  return {
    name: "association",
    about: "The handshake of a link, its keys, a hop frame in each lane and a rekey",
    see: "Association",
    vectors: [
      ...linkTypes.map((linkType) => associationOf(ada, bob, linkType, null)),
      associationOf(ada, bob, "webrtc", kem),
    ],
  }
}

function associationOf(ada: Person, bob: Person, linkType: "webrtc" | "relay", kem: Kem | null) {
  const ends = {
    initiator: endOf(ada, "initiator", linkType),
    responder: endOf(bob, "responder", linkType),
  }
  const { transcript, messages } = shake(ends, linkType, kem)
  const shared = x25519.getSharedSecret(ends.initiator.ephemeralSecret, ends.responder.ephemeral)
  const postQuantum = kem && encapsulationOf(kem, linkType)
  const { encapsulationKey, ciphertext, kemSecret } = postQuantum ?? NO_ENCAPSULATION
  const hash = transcriptHash({ ...transcript, encapsulationKey })
  const fullHash = postQuantum ? hybridTranscriptHash(scope, hash, ciphertext) : hash
  const { proof, hop } = associationKeys(concatBytes(kemSecret, shared), fullHash)
  const next = { initiator: fixedBytes("next of initiator"), responder: fixedBytes("next of responder") }
  const ephemerals = { initiator: x25519.getPublicKey(next.initiator), responder: x25519.getPublicKey(next.responder) }
  const nextShared = x25519.getSharedSecret(next.initiator, ephemerals.responder)
  const nextPostQuantum = kem && encapsulationOf(kem, "rekey")
  const nextKem = nextPostQuantum ?? NO_ENCAPSULATION
  const nextSecret = concatBytes(nextKem.kemSecret, nextShared)
  const input = { ...scope, keys: [keys.association], linkType, attempt: 7, protocol: PROTOCOL, ...ends }
  return {
    input: { ...input, isHybrid: kem !== null },
    output: {
      sharedSecret: shared,
      transcriptHash: hash,
      ...(postQuantum && { ...postQuantum, fullHash }),
      proofKeys: kem ? { ...proof, initiator: initiatorProofKey(shared, hash) } : proof,
      hopKeys: hop,
      messages,
      frames: framesOf(hop, "first"),
    },
    rekey: {
      ephemeralSecrets: next,
      ephemerals,
      sharedSecret: nextShared,
      ...nextPostQuantum,
      hopKeys: nextHopKeys(nextSecret, hop.associationId, { ...nextKem, ephemerals }),
    },
  }
}

/** The randomness of one end of a hybrid handshake for ML-KEM: 64 bytes. */
function kemSeed(role: Role, name: string): Uint8Array {
  return concatBytes(fixedBytes(`${name} ML-KEM d of ${role}`), fixedBytes(`${name} ML-KEM z of ${role}`))
}

/** The responder uses the first half of its seed. */
function encapsulationOf(kem: Kem, name: string) {
  const encapsulationKey = kem.keyPair(kemSeed("initiator", name)).publicKey
  const { ciphertext, shared } = kem.encapsulate(encapsulationKey, kemSeed("responder", name).slice(0, 32))!
  const kemSeeds = { initiator: kemSeed("initiator", name), responder: kemSeed("responder", name) }
  return { kemSeeds, encapsulationKey, ciphertext, kemSecret: shared }
}

function endOf({ certificate, seed, publicKey, member }: Person, role: Role, linkType: "webrtc" | "relay") {
  const ephemeralSecret = fixedBytes(`${linkType} ephemeral of ${role}`)
  return {
    member,
    certificate,
    identitySeed: seed,
    publicKey,
    incarnation: INCARNATION,
    dtlsFingerprint: linkType === "relay" ? new Uint8Array(0) : fixedBytes(`DTLS certificate of ${role}`),
    ephemeralSecret,
    ephemeral: x25519.getPublicKey(ephemeralSecret),
    nonce: fixedBytes(`${linkType} nonce of ${role}`),
  }
}
type End = ReturnType<typeof endOf>

/** Both ends run the product's handshake. Signatures are made and checked at once. */
function shake(ends: Readonly<Record<Role, End>>, linkType: "webrtc" | "relay", kem: Kem | null) {
  const party = ({ certificate, incarnation, dtlsFingerprint }: End) => {
    return { certificate, incarnation, fingerprint: bytesToHex(dtlsFingerprint) }
  }
  const create = (role: Role): Association => {
    const [own, peer] = [party(ends[role]), party(ends[otherRole(role)])]
    const { ephemeralSecret, nonce } = ends[role]
    const given = { ephemeralSecret: ephemeralSecret.slice(), nonce, protocol: PROTOCOL }
    return new Association({
      scope,
      keys: [keys.association],
      role,
      linkType,
      attempt: 7,
      own,
      peer,
      hybrid: kem && { kem, seed: kemSeed(role, linkType) },
      ...given,
    })
  }
  const associations = { initiator: create("initiator"), responder: create("responder") }
  const messages = (["initiator", "responder"] as const).map((role) => ({
    from: role,
    bytes: associations[role].start().slice(),
  }))
  for (let at = 0; at < messages.length; at++) {
    const { from, bytes } = messages[at]!
    const to = otherRole(from)
    const inputs: Parameters<Association["step"]>[0][] = [{ type: "message", bytes }]
    for (const input of inputs) {
      for (const output of associations[to].step(input)) {
        if (output.type === "send") messages.push({ from: to, bytes: output.bytes.slice() })
        if (output.type === "sign")
          inputs.push({ type: "signed", signature: ed25519.sign(output.bytes, ends[to].identitySeed) })
        if (output.type === "verify")
          inputs.push({ type: "verified", ok: ed25519.verify(output.signature, output.bytes, ends[from].publicKey) })
        if (output.type === "refused") throw new Error(`the vectors' handshake was refused: ${output.reason}`)
      }
    }
  }
  const opening = (role: Role) => ({ ...party(ends[role]), protocol: PROTOCOL, ...ends[role] })
  const transcript = {
    scope,
    linkType,
    attempt: 7,
    initiator: opening("initiator"),
    responder: opening("responder"),
  }
  return { transcript, messages }
}

/** One frame of each end in each lane, all with number 0 under these keys. */
function framesOf(hopKeys: HopKeys, name: string) {
  return (["initiator", "responder"] as const).flatMap((from) => {
    const copy = structuredClone(hopKeys)
    const hop: Hop = createHop(copy, from)
    return (["reliable", "unreliable"] as const).map((lane) => {
      const plaintext = fixedBytes(`${name} ${lane} frame of ${from}`)
      const sealer = lane === "reliable" ? hop.sealer : hop.unreliableSealer
      return { from, lane, sequence: 0, plaintext, frame: sealer.seal(plaintext).slice() }
    })
  })
}

/** An advertisement and a signal, as the server sees them. */
export async function roomFile([ada, bob]: readonly [Person, Person]): Promise<VectorFile> {
  const recipientSecret = fixedBytes("room ephemeral of Bob")
  const adasSecret = fixedBytes("room ephemeral of Ada")
  const adasCard = roomCardOf(ada, adasSecret)
  const bobsCard = roomCardOf(bob, recipientSecret)
  const signature = await ada.signer.sign(signedByCard(scope, adasCard))
  const nonce = fixedBytes("advertisement nonce", 24)
  const envelopes = new Envelopes({
    scope,
    keyring: new Keyring(keys),
    self: ada.member,
    ephemeralSecret: adasSecret.slice(),
    nonce: adasCard.nonce,
  })
  const body = encodeSignal({ kind: "hello", card: adasCard } as never)
  const draft = envelopes.draft(bob.member, bobsCard, keys, body)!
  return {
    name: "room",
    about: "An advertisement and the signal hello in its envelope",
    see: "In the room",
    vectors: [
      {
        input: {
          ...scope,
          keys,
          sender: { member: ada.member, identitySeed: ada.seed, card: adasCard, ephemeralSecret: adasSecret },
          recipient: { member: bob.member, card: bobsCard, ephemeralSecret: recipientSecret },
          advertisementNonce: nonce,
        },
        output: {
          card: card.encode(adasCard),
          advertisement: sealAdvertisement(keys.advertisement, scope, adasCard, signature, nonce),
          signalBody: body,
          senderMemberId: memberIdToBytes(ada.member),
          signal: draft.seal(await ada.signer.sign(draft.signed)),
        },
      },
    ],
  }
}

function roomCardOf({ name, certificate }: Person, ephemeralSecret: Uint8Array): RoomCard {
  return {
    protocol: PROTOCOL,
    certificate,
    incarnation: INCARNATION,
    entry: 1,
    address: fixedBytes(`room address of ${name}`, 16),
    ephemeral: x25519.getPublicKey(ephemeralSecret),
    nonce: fixedBytes(`card nonce of ${name}`, 16),
    extension: new Uint8Array(0),
  }
}
