/** Builds the network and the group of a conference. Each layer gets those below it. */
import { Mesh, type Credential, type MeshOutput, type Sink } from "@keymoot/transport"
import { hexToBytes } from "@noble/hashes/utils.js"
import { type Faults, platformRandomness } from "../platform/surroundings.ts"
import type { AdmissionCore } from "../admission/admission-core.ts"
import { deriveRoomSecret } from "../conference/invitation.ts"
import type { DriverConfig } from "../driver/driver-config.ts"
import { GroupDriver } from "../driver/group-driver.ts"
import { MemberLinks } from "../driver/member-links.ts"
import type { KnownCredentials } from "../frames/frame-opener.ts"
import type { MemberCredential } from "../identity/certificates/credential-checker.ts"
import type { OwnIdentity } from "../identity/own-identity.ts"
import { OverlayLinks, type LinkOutput } from "../overlay/overlay-links.ts"
import { Topology } from "../overlay/topology.ts"
import type { ConferenceTrace } from "../trace/conference-trace.ts"
import {
  agreementOf,
  type ConferenceConfig,
  conferenceTagOf,
  groupOf,
  identifiedBy,
  randomPart,
  rosterOf,
} from "./conference-parameters.ts"
import { Ice } from "./ice.ts"

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
  routes: { readonly mesh: Sink<MeshOutput>; readonly link: Sink<LinkOutput> },
): Network {
  const { descriptor, invitation, identity, record, checker, faults } = config
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
    roomSigner: config.cryptography.seedSigner ?? undefined,
    keys: keys!,
    formerKeys,
    signer,
    incarnation,
    credentials: checker,
    policy: {
      admits: (credential, keys) => isNamed(credential) && admission.gate.mayLink(credential, keys),
      isInside: (peer) => admission.gate.waiting || admission.gate.isInside(peer),
      wants: (credential, keys) => topology.wants(credential.member) || admission.wants(credential, keys),
      advertises: () => topology.isWide && !admission.gate.waiting,
    },
    random: platformRandomness,
    hopCipher: config.cryptography.hopCipher,
    x25519: config.cryptography.x25519,
    kem: descriptor.postQuantum === "hybrid" ? config.cryptography.kem : undefined,
    host: ice,
    sink: routes.mesh,
  })
  const [conferenceTag, own] = [conferenceTagOf(descriptor), ownCredential(identity)]
  const common = { conferenceTag, signer, own, checker, topology, mesh, faults }
  const links = new OverlayLinks({ ...common, policy: admission, sink: routes.link })
  return { ice, mesh, links }
}

export function buildGroup(
  config: Parts,
  admission: AdmissionCore,
  { mesh, links }: Network,
  sink: DriverConfig["sink"],
): GroupDriver {
  const { descriptor, identity, known, checker, media, trace, faults } = config
  return new GroupDriver({
    links: new MemberLinks(mesh, links),
    known,
    group: { ...groupOf(descriptor, config.record, identity.member, config.created), policy: admission.gate },
    authenticity: descriptor.authenticity,
    secure: agreementOf(descriptor, config.cryptography, config.cipher, config.ownAgreement),
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
