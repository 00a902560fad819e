/** Builds the network and the group of a conference. Each layer gets those below it. */
import { Mesh, traceMesh, type Credential, type HostPort, type Sink, type TraceSink } from "@keymoot/transport"
import type { IceServer, IceTransportPolicy } from "@keymoot/transport/host"
import { hexToBytes } from "@noble/hashes/utils.js"
import type { Faults } from "../platform/faults.ts"
import type { Clock } from "../platform/clock.ts"
import type { AdmissionCore } from "../admission/admission-core.ts"
import type { DataCipher } from "../ciphers/index.ts"
import { deriveRoomSecret, type Descriptor, type Invitation } from "../conference/index.ts"
import type { ConferenceRecord } from "../device/conference-record.ts"
import type { BlockStore, LocalCopy } from "../device/stores/index.ts"
import type { DriverConfig } from "../driver/driver-config.ts"
import { GroupDriver } from "../driver/group-driver.ts"
import { MemberLinks } from "../driver/member-links.ts"
import type { KnownCredentials } from "../frames/frame-opener.ts"
import type { MemberCredential, MemberCredentialChecker, OwnIdentity, VerifiedPeople } from "../identity/index.ts"
import { OverlayLinks, type LinkOutput } from "../overlay/overlay-links.ts"
import { Topology } from "../overlay/topology.ts"
import type { Cryptography } from "../platform/cryptography.ts"
import { platformRandomness } from "../platform/randomness.ts"
import type { OwnKeyAgreement } from "../secure-group/index.ts"
import type { EngineEvent } from "../rpc/protocol.ts"
import type { ConferenceTrace } from "../trace/conference-trace.ts"
import { agreementOf, conferenceTagOf, groupOf, identifiedBy, randomPart, rosterOf } from "./conference-parameters.ts"
import { Ice } from "./ice.ts"

export type ConferenceConfig = {
  readonly descriptor: Descriptor
  readonly invitation: Invitation
  readonly record: ConferenceRecord
  readonly identity: OwnIdentity
  readonly checker: MemberCredentialChecker
  readonly people: VerifiedPeople
  readonly cryptography: Cryptography
  /** The one that the descriptor names. */
  readonly cipher: DataCipher
  /** The key agreement that the descriptor names, if it is not built in. */
  readonly ownAgreement?: OwnKeyAgreement | undefined
  readonly iceServers: readonly IceServer[]
  readonly transportPolicy: IceTransportPolicy
  /** Whether this identity created the conference just now, so that no other member can be present. */
  readonly created: boolean
  /** Whether the creator has announced an early end. Then this member is late, unless the creator takes it back. */
  readonly ended: boolean
  /** False for the copy on this device: nothing is sent, received or ticked, and its owner can only read it. */
  readonly connected: boolean
  readonly meshMax?: number | undefined
  readonly host: HostPort
  readonly sink: Sink<EngineEvent>
  /** The conference's data on this device; null for none. */
  readonly copy: LocalCopy | null
  /** Store of this conference's files, and the shelf's name in it. */
  readonly files: { readonly blocks: BlockStore; readonly shelf: string }
  /** Wall clock. */
  readonly clock: Clock
  readonly traceSink: TraceSink
}

type Parts = ConferenceConfig & {
  readonly known: KnownCredentials
  readonly media: NonNullable<DriverConfig["media"]>
  readonly trace: ConferenceTrace
  readonly faults: Faults
}

export type Network = { readonly ice: Ice; readonly mesh: Mesh; readonly links: OverlayLinks }

/** `isNamed`: whether a roster names somebody, if there is one. */
export function buildNetwork(
  config: Parts,
  admission: AdmissionCore,
  isNamed: (credential: Credential) => boolean,
  sink: Sink<LinkOutput>,
): Network {
  const { descriptor, invitation, identity, record, checker, trace, faults } = config
  const { signer, member } = identity
  const { incarnation } = record
  const { server } = invitation
  const topology = new Topology({ id: member, incarnation }, randomPart, config.meshMax)
  const ice = new Ice({ ...config, server, room: descriptor.conferenceId })
  const [keys, ...formerKeys] = admission.keys
  const mesh = new Mesh({
    conferenceId: hexToBytes(descriptor.conferenceId),
    descriptorHash: descriptor.hash,
    server,
    roomSecret: deriveRoomSecret(descriptor.roomKey),
    keys: keys!,
    formerKeys,
    signer,
    incarnation,
    credentials: checker,
    policy: {
      admits: (credential, keys) => isNamed(credential) && admission.gate.mayLink(credential, keys),
      isInside: (peer) => admission.gate.waiting || admission.gate.isInside(peer),
      wants: (credential, keys) => topology.wants(credential.member) || admission.wants(credential, keys),
      isMissing: () => (admission.gate.waiting ? null : topology.isMissing()),
    },
    random: platformRandomness,
    hopCipher: config.cryptography.hopCipher,
    kem: descriptor.postQuantum === "hybrid" ? config.cryptography.kem : undefined,
    iceServers: config.iceServers,
    host: ice,
    sink: {
      take: (output) => {
        traceMesh(trace.take, output)
        links.handle(output)
      },
    },
  })
  const conferenceTag = conferenceTagOf(descriptor)
  const own = ownCredential(identity)
  const links = new OverlayLinks({
    conferenceTag,
    signer,
    own,
    checker,
    policy: admission,
    topology,
    mesh,
    sink,
    faults,
  })
  return { ice, mesh, links }
}

export function buildGroup(
  {
    descriptor,
    identity,
    record,
    checker,
    known,
    cryptography,
    cipher,
    ownAgreement,
    created,
    media,
    trace,
    faults,
  }: Parts,
  admission: AdmissionCore,
  { mesh, links }: Network,
  sink: DriverConfig["sink"],
): GroupDriver {
  return new GroupDriver({
    links: new MemberLinks(mesh, links),
    known,
    group: { ...groupOf(descriptor, record, identity.member, created), policy: admission.gate },
    authenticity: descriptor.authenticity,
    secure: agreementOf(descriptor, cryptography, cipher, ownAgreement),
    rules: admission.rules,
    conferenceId: descriptor.conferenceId,
    self: ownCredential(identity),
    roster: rosterOf(descriptor),
    signer: identity.signer,
    checker,
    identifiedBy: identifiedBy(descriptor),
    media,
    trace,
    sink,
    faults,
  })
}

function ownCredential({ member, certificate, publicKey, name }: OwnIdentity): MemberCredential {
  return { member, certificate, publicKey, name }
}
