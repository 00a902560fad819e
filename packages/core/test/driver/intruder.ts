/**
 * Somebody whose program takes no notice of what is forbidden: a runtime of its own, put together from the engine's
 * parts.
 */
import { aesGcm } from "../../src/ciphers/aes-gcm.ts"
import type { ConnectionId, HostEvent } from "@keymoot/transport/host"
import type { LoopbackNetwork } from "@keymoot/transport/testing"
import { type Descriptor, openDescriptor } from "../../src/conference/descriptor.ts"
import { parseInvitation } from "../../src/conference/invitation.ts"
import { ConferenceRecord } from "../../src/device/conference-record.ts"
import { ConferenceRuntime } from "../../src/runtime/conference-runtime.ts"
import { loadCryptography } from "../../src/platform/cryptography.ts"
import { Directory } from "../../src/runtime/directory.ts"
import type { EngineEvent } from "../../src/rpc/protocol.ts"
import { createCredentialChecker } from "../../src/identity/certificates/credential-checker.ts"
import { createMemoryStore } from "../../src/identity/memory-store.ts"
import type { OwnIdentity } from "../../src/identity/own-identity.ts"
import { VerifiedPeople } from "../../src/identity/verified-people.ts"
import { TraceSink } from "@keymoot/transport"

export const SERVER = "http://localhost:1"

export type IntruderOptions = {
  readonly url: string
  readonly identity: OwnIdentity
  /** The conference as the intruder assumes it. */
  readonly believes: (descriptor: Descriptor) => Descriptor
  /** As whom it appears, if not as itself. */
  readonly appearing?: (identity: OwnIdentity, descriptor: Descriptor) => OwnIdentity
  readonly onEvent: (event: EngineEvent) => void
}

/** Enters with this link as if it were enough. Returns how it goes home. */
export async function intrude(network: LoopbackNetwork, options: IntruderOptions): Promise<() => Promise<void>> {
  const { url, believes, appearing = (identity) => identity } = options
  const checker = createCredentialChecker()
  const invitation = parseInvitation(url)
  let onEvent: (event: HostEvent) => void = () => undefined
  const host = network.createHost("Mallory")((event) => onEvent(event))
  const directory = new Directory((command) => host.post(command))
  onEvent = (event) => void (!("connectionId" in event) && directory.handle(event))
  directory.use(SERVER)
  const { descriptor: bytes } = await directory.fetchConference(SERVER, invitation.conferenceId)
  const descriptor = await openDescriptor(bytes, invitation, checker, Date.now())
  const { id, signer, publicKey } = options.identity
  const people = await VerifiedPeople.open({ store: createMemoryStore(), id, signer, publicKey, checker })
  let links = 1000
  let requests = 1000
  const runtime = new ConferenceRuntime({
    descriptor: believes(descriptor),
    invitation,
    record: await ConferenceRecord.open(createMemoryStore(), invitation, new Uint8Array()),
    identity: appearing(options.identity, descriptor),
    checker,
    people,
    cryptography: await loadCryptography(),
    cipher: aesGcm,
    transportPolicy: "all",
    connected: true,
    created: true,
    announcedEndMs: null,
    files: { shelf: "stranger", blocks: createMemoryStore().files },
    host: {
      nextConnection: () => ++links as ConnectionId,
      nextRequest: () => ++requests,
      post: (command) => host.post(command),
    },
    sink: { take: (event) => options.onEvent(event) },
    copy: null,
    clock: Date,
    traceSink: new TraceSink(),
  })
  onEvent = (event) => runtime.handleHost(event)
  runtime.tick(performance.now())
  runtime.handleHost({ type: "bootstrap-state", server: SERVER, state: "up" })
  const timer = setInterval(() => runtime.tick(performance.now()), 50)
  return async () => {
    clearInterval(timer)
    await runtime.close("left")
    host.close()
  }
}
