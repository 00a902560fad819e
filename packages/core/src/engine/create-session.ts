import { invitationKey } from "@keymoot/gke"
import { defaultTimes, Mesh } from "@keymoot/transport"
import type { HostCommand, IceServer, IceTransportPolicy, LinkNumber } from "@keymoot/transport/host"
import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes, hexToBytes, randomBytes } from "@noble/hashes/utils.js"
import { type Descriptor, type Invitation } from "../conference/index.ts"
import {
  fingerprintOf,
  keyPrintOf,
  type MemberCredential,
  type MemberCredentialChecker,
  type OwnIdentity,
  type VerifiedPeople,
} from "../identity/index.ts"
import { checkerOf, gateOf } from "./admission.ts"
import type { ConferenceRecord } from "./conference-record.ts"
import type { Cryptography } from "./cryptography.ts"
import type { AgreementConfig } from "./driver-config.ts"
import { Entrance } from "./entrance.ts"
import { GroupDriver } from "./group-driver.ts"
import { Ice } from "./ice.ts"
import { CONFERENCE_MEMBERS_MAX, OverlayLinks } from "./overlay-links.ts"
import type { LocalCopy } from "../local-copies/index.ts"
import type { EngineEvent } from "./protocol.ts"
import { Session } from "./session.ts"
import type { CreateDriver, CreateEntrance, CreateMesh, CreateOverlay, SessionConfig } from "./session-config.ts"

/** A member that joins looks this long for others before it has a view of its own. */
const ALONE_AFTER_MS = 4000
/** Of what hosts have said under majority: nothing, since its roster stands. */
const NO_STATEMENTS = sha256(new Uint8Array(0))

export type SessionParts = {
  readonly descriptor: Descriptor
  readonly invitation: Invitation
  readonly record: ConferenceRecord
  readonly identity: OwnIdentity
  readonly checker: MemberCredentialChecker
  readonly people: VerifiedPeople
  readonly cryptography: Cryptography
  readonly iceServers: readonly IceServer[]
  readonly transportPolicy: IceTransportPolicy
  /** Made by this identity a moment ago: nobody else can be there. */
  readonly created: boolean
  readonly meshMax?: number | undefined
  readonly post: (command: HostCommand) => void
  readonly nextLink: () => LinkNumber
  readonly nextRequest: () => number
  readonly emit: (event: EngineEvent) => void
  /** What this device keeps of the conference; null for nothing. */
  readonly copy: LocalCopy | null
  readonly files: SessionConfig["files"]
  readonly now: () => number
}

/** Puts together the cores of one conference. */
export function createSession(parts: SessionParts): Session {
  const { descriptor, invitation, record, identity, people, emit, now, copy, files } = parts
  const checker = checkerOf(descriptor, parts.checker, (event) => emit({ type: "security", event }))
  const conferenceId = hexToBytes(descriptor.conferenceId)
  const printOf = printFor(descriptor)
  const self = { member: identity.member, certificate: identity.certificate, publicKey: identity.publicKey }
  const conferenceTag = sha256(concatBytes(conferenceId, descriptor.hash))
  const createDriver: CreateDriver = (emitDriver, fail) =>
    new GroupDriver({
      group: {
        self: { id: identity.member, incarnation: record.incarnation },
        conferenceTag,
        epochFloor: record.epochFloor,
        admits: (member) => entrance.gate.isInside(member),
        roster: descriptor.admission.policy === "roster" ? rosterOf(descriptor).map(({ member }) => member) : null,
        membersMax: CONFERENCE_MEMBERS_MAX,
        ...defaultTimes,
        aloneAfterMs: parts.created ? 0 : ALONE_AFTER_MS,
      },
      authenticity: descriptor.authenticity,
      secure: agreementOf(descriptor, parts.cryptography),
      statementsDigest: () => entrance.gate.digest(),
      conferenceId: descriptor.conferenceId,
      self: { ...self, name: identity.name },
      roster: rosterOf(descriptor),
      signer: identity.signer,
      checker,
      fingerprintOf: printOf,
      emit: emitDriver,
      fail,
    })
  const ice = new Ice({
    server: invitation.server,
    room: descriptor.conferenceId,
    transportPolicy: parts.transportPolicy,
    nextRequest: parts.nextRequest,
    post: parts.post,
  })
  let entrance: Entrance
  const createEntrance: CreateEntrance = (hooks) => {
    entrance = new Entrance({ descriptor, invitation, record, identity, checker, now, ...hooks })
    return entrance
  }
  const isNamed = gateOf(descriptor.admission, (event) => emit({ type: "security", event }))
  const createOverlay: CreateOverlay = (hooks) =>
    new OverlayLinks({
      conferenceTag,
      incarnation: record.incarnation,
      signer: identity.signer,
      own: { ...self, name: identity.name },
      checker,
      keys: () => entrance.keys,
      random: randomPart,
      meshMax: parts.meshMax,
      admits: (credential, keys) => entrance.gate.mayBeInside(credential, keys),
      ...hooks,
    })
  const createMesh: CreateMesh = (overlay) =>
    new Mesh({
      conferenceId,
      descriptorHash: descriptor.hash,
      server: invitation.server,
      keys: entrance.keys[0]!,
      formerKeys: entrance.keys.slice(1),
      signer: identity.signer,
      incarnation: record.incarnation,
      credentials: checker,
      admits: (credential, keys) => isNamed(credential) && entrance.gate.mayLink(credential, keys),
      isInside: (member) => entrance.gate.waiting || entrance.gate.isInside(member),
      // Hosts meet those who knock besides, and those who knock meet hosts.
      wants: (credential, keys) =>
        overlay.wants(credential.member) ||
        entrance.gate.waiting ||
        (entrance.gate.isHost && !entrance.gate.mayBeInside(credential, keys)),
      isMissing: () => (entrance.gate.waiting ? null : overlay.isMissing()),
      random: randomBytes,
      hopCipher: parts.cryptography.hopCipher,
      iceServers: parts.iceServers,
      nextLink: parts.nextLink,
      nextRequest: parts.nextRequest,
      post: (command) => ice.pass(command),
      emit: (output) => overlay.handle(output),
    })
  const usedEpoch = (epoch: number): void => record.usedEpoch(epoch)
  const config = {
    descriptor,
    identity,
    checker,
    people,
    emit,
    now,
    usedEpoch,
    copy,
    ice,
    files,
    fingerprintOf: printOf,
  }
  return new Session(config, createDriver, createMesh, createOverlay, createEntrance)
}

/** Uniform in [0, 1). */
function randomPart(): number {
  return new DataView(randomBytes(4).buffer).getUint32(0) / 2 ** 32
}

/** An authority renews certificates while people meet: there a member is known by its key, and elsewhere by its certificate. */
function printFor({ admission }: Descriptor): SessionConfig["fingerprintOf"] {
  if (admission.policy === "ca") return ({ publicKey }) => keyPrintOf(publicKey)
  return ({ certificate }) => fingerprintOf(certificate)
}

function rosterOf({ admission }: Descriptor): readonly MemberCredential[] {
  return admission.policy === "roster" ? admission.roster : []
}

function agreementOf(descriptor: Descriptor, { primeGroup, x25519, verify }: Cryptography): AgreementConfig {
  const { keyAgreement: module, roomKey, hash: descriptorHash } = descriptor
  const common = {
    group: primeGroup,
    conferenceId: hexToBytes(descriptor.conferenceId),
    descriptorHash,
    invitation: invitationKey(roomKey, descriptorHash),
    random: randomBytes,
  }
  if (module !== "majority") return { ...common, module }
  const roster = rosterOf(descriptor).map(({ member, publicKey, certificate }) => {
    return { member, publicKey, fingerprint: fingerprintOf(certificate) }
  })
  return { ...common, module, roster, statementsHash: NO_STATEMENTS, x25519, verify }
}
