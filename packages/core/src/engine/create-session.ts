import { invitationKey, type PrimeOrderGroup } from "@keymoot/gke"
import { defaultTimes, Mesh } from "@keymoot/transport"
import type { HostCommand, IceServer, LinkNumber } from "@keymoot/transport/host"
import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes, hexToBytes, randomBytes } from "@noble/hashes/utils.js"
import { deriveInvitationKeys, formatInvitation, type Descriptor, type Invitation } from "../conference/index.ts"
import {
  fingerprintOf,
  type InvitationRecord,
  type MemberCredentialChecker,
  type OwnIdentity,
} from "../identity/index.ts"
import { GroupDriver } from "./group-driver.ts"
import type { ConferenceEvent } from "./protocol.ts"
import { Session } from "./session.ts"

/** A member that joins looks this long for others before it has a view of its own. */
const ALONE_AFTER_MS = 4000
/** Statements of hosts come with removal and roles; until then there are none, and this is their hash. */
const NO_STATEMENTS = sha256(new Uint8Array(0))

export type SessionParts = {
  readonly descriptor: Descriptor
  readonly invitation: Invitation
  readonly record: InvitationRecord
  readonly identity: OwnIdentity
  readonly checker: MemberCredentialChecker
  readonly primeGroup: PrimeOrderGroup
  readonly iceServers: readonly IceServer[]
  /** Made by this identity a moment ago: nobody else can be there. */
  readonly created: boolean
  readonly post: (command: HostCommand) => void
  readonly nextLink: () => LinkNumber
  readonly nextRequest: () => number
  readonly emit: (event: ConferenceEvent) => void
  readonly usedEpoch: (epoch: number) => void
  readonly now: () => number
}

/** Puts together the cores of one conference. */
export function createSession(parts: SessionParts): Session {
  const { descriptor, invitation, record, identity, checker, emit, usedEpoch, now } = parts
  const url = formatInvitation(invitation)
  const conferenceId = hexToBytes(descriptor.conferenceId)
  const self = { member: identity.member, certificate: identity.certificate, publicKey: identity.publicKey }
  const createDriver: ConstructorParameters<typeof Session>[1] = (emitDriver, fail) =>
    new GroupDriver({
      group: {
        self: { id: identity.member, incarnation: record.incarnation },
        conferenceTag: sha256(concatBytes(conferenceId, descriptor.hash)),
        epochFloor: record.epochBlock,
        ...defaultTimes,
        aloneAfterMs: parts.created ? 0 : ALONE_AFTER_MS,
      },
      secure: {
        module: descriptor.keyAgreement,
        group: parts.primeGroup,
        conferenceId,
        descriptorHash: descriptor.hash,
        statementsHash: NO_STATEMENTS,
        invitation: invitationKey(descriptor.roomKey, descriptor.hash),
        random: randomBytes,
      },
      conferenceId: descriptor.conferenceId,
      self: { ...self, name: identity.name },
      signer: identity.signer,
      checker,
      fingerprintOf,
      emit: emitDriver,
      fail,
    })
  const createMesh: ConstructorParameters<typeof Session>[2] = (emitMesh) =>
    new Mesh({
      conferenceId,
      descriptorHash: descriptor.hash,
      server: invitation.server,
      keys: deriveInvitationKeys(invitation.secret, descriptor.hash),
      signer: identity.signer,
      incarnation: record.incarnation,
      credentials: checker,
      random: randomBytes,
      iceServers: parts.iceServers,
      nextLink: parts.nextLink,
      nextRequest: parts.nextRequest,
      post: parts.post,
      emit: emitMesh,
    })
  return new Session({ descriptor, url, identity, checker, emit, now, usedEpoch }, createDriver, createMesh)
}
