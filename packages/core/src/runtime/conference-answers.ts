/** Answers of a conference to questions of the application. Nothing here changes its state. */
import { conferenceCode } from "@keymoot/gke"
import type { MemberId, OtherVersion as FoundVersion } from "@keymoot/transport"
import { bytesToHex } from "@noble/hashes/utils.js"
import { shownAdmission } from "../admission/admission-policy.ts"
import {
  type EvidenceDocument,
  KeymootError,
  type KeyStructure,
  type LinkPath,
  type OtherVersion,
  type ServerState,
} from "../api/index.ts"
import { blobKeyOf, type Descriptor } from "../conference/descriptor.ts"
import { presentStructure } from "../content/presented-view.ts"
import { fingerprintOf } from "../identity/certificates/certificate.ts"
import { createCredentialChecker } from "../identity/certificates/credential-checker.ts"
import type { OwnIdentity } from "../identity/own-identity.ts"
import { exportEvidence } from "../evidence/export.ts"
import type { ConferenceInfo, EngineDiagnostics } from "../rpc/protocol.ts"
import type { ConferenceLayers } from "./conference-layers.ts"
import { timeFrameOf } from "./time-frame.ts"

export function infoOf(layers: ConferenceLayers, server: ServerState): ConferenceInfo {
  const { descriptor, identity, record, connected } = layers.config
  const { roster } = layers.content
  const { core } = layers.admission
  return {
    id: descriptor.conferenceId,
    title: descriptor.title,
    timeFrame: timeFrameOf(descriptor),
    url: core.url,
    self: roster.member(identity.member),
    keyAgreement: descriptor.keyAgreement,
    admission: shownAdmission(descriptor.admission),
    admissionState: core.state,
    history: descriptor.history,
    authenticity: descriptor.authenticity,
    cipher: descriptor.cipher,
    postQuantum: descriptor.postQuantum,
    view: roster.view,
    server,
    storage: layers.copy?.state ?? "off",
    incarnation: record.incarnation,
    copyOnly: !connected,
  }
}

export function codeOf({ config, driver }: ConferenceLayers): string {
  const prints = driver.view.members.map(({ id }) => driver.prints.of(id))
  return conferenceCode(config.descriptor.hash, prints)
}

export function keyStructureOf({ driver, content }: ConferenceLayers): KeyStructure | null {
  const structure = driver.keyStructure
  return structure && presentStructure(structure, (id) => content.roster.member(id))
}

/** @throws KeymootError `invalid-argument`, `too-large`; `bad-certificate`: a verifier would refuse the own one */
export async function evidenceOf(
  { config, content }: ConferenceLayers,
  documents: readonly EvidenceDocument[],
): Promise<Uint8Array> {
  assertDocuments(documents)
  const { descriptor: opened, identity, clock, record } = config
  const { descriptor } = record
  const blobKey = blobKeyOf(descriptor, opened.roomKey)
  const exportedAtMs = clock.now()
  await assertCertified(opened, identity, exportedAtMs)
  return exportEvidence({ descriptor, blobKey, log: content.evidence, documents, exportedAtMs }, identity)
}

function assertDocuments(documents: readonly EvidenceDocument[]): void {
  const isDocument = (each: Partial<EvidenceDocument> | null): boolean =>
    typeof each?.name === "string" && typeof each.text === "string"
  if (Array.isArray(documents) && documents.every(isDocument)) return
  throw new KeymootError("invalid-argument", "documents must be an array of { name, text }.")
}

async function assertCertified({ admission }: Descriptor, { certificate }: OwnIdentity, nowMs: number): Promise<void> {
  const demands = admission.policy === "ca" ? { authority: admission.authority, refused: () => undefined } : undefined
  if (await createCredentialChecker(() => nowMs, demands).check(certificate)) return
  const message =
    "Evidence under your certificate could not be verified, because it is not valid now. Have another one issued, add it to the identity, and open the conference again."
  throw new KeymootError("bad-certificate", message)
}

/** State of the parts of one conference, without keys, names and content. */
export function diagnosticsOf(
  { config, content, network, driver, trace }: ConferenceLayers,
  server: ServerState,
  links: ReadonlyMap<MemberId, LinkPath>,
): EngineDiagnostics {
  const { view } = content.roster
  const { mesh } = network
  return {
    self: config.identity.member,
    server,
    view: { epoch: view.epoch, members: view.members.length, status: view.status },
    links: [...links.keys()].sort().map((member) => ({
      member,
      path: links.get(member)!,
      connectionId: links.get(member) === "direct" ? mesh.directConnection(member) : null,
      unacknowledgedBytes: mesh.bufferedBytes(member),
      windowBytes: mesh.windowBytes(member) ?? 0,
    })),
    queues: driver.queues,
    views: trace.views,
    security: trace.security,
    trace: trace.trace,
  }
}

/** A person whose client has another version of the protocol, with the name in its certificate. */
export async function namedVersion(
  { checker }: ConferenceLayers,
  { peer, credential: { certificate }, theirs, ours, older }: FoundVersion,
): Promise<OtherVersion> {
  const credential = await checker.check(certificate)
  const person = { id: peer, name: credential?.name ?? "", fingerprint: bytesToHex(fingerprintOf(certificate)) }
  return { person, theirs, ours, older }
}
