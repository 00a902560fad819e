/** Somebody whose program takes no notice of what is forbidden: a session of its own, put together from the engine's parts. */
import type { HostEvent, LinkNumber } from "@keymoot/transport/host"
import type { LoopbackNetwork } from "@keymoot/transport/testing"
import { type Descriptor, openDescriptor, parseInvitation } from "../../src/conference/index.ts"
import { ConferenceRecord } from "../../src/engine/conference-record.ts"
import { createSession } from "../../src/engine/create-session.ts"
import { loadCryptography } from "../../src/engine/cryptography.ts"
import { Directory } from "../../src/engine/directory.ts"
import type { EngineEvent } from "../../src/engine/protocol.ts"
import {
  createCredentialChecker,
  createMemoryStore,
  type OwnIdentity,
  VerifiedPeople,
} from "../../src/identity/index.ts"

export const SERVER = "http://localhost:1"

export type IntruderOptions = {
  readonly url: string
  readonly identity: OwnIdentity
  /** What it takes the conference to be. */
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
  onEvent = (event) => directory.handle(event)
  directory.use(SERVER)
  const bytes = await directory.fetchDescriptor(SERVER, invitation.conferenceId)
  const descriptor = await openDescriptor(bytes, invitation, checker, Date.now())
  const { id, signer, publicKey } = options.identity
  const people = await VerifiedPeople.open({ store: createMemoryStore(), id, signer, publicKey, checker })
  let links = 1000
  let requests = 1000
  const session = createSession({
    descriptor: believes(descriptor),
    invitation,
    record: await ConferenceRecord.open(createMemoryStore(), invitation, new Uint8Array()),
    identity: appearing(options.identity, descriptor),
    checker,
    people,
    cryptography: await loadCryptography(),
    iceServers: [],
    transportPolicy: "all",
    created: true,
    files: { shelf: "stranger", blocks: createMemoryStore().files },
    post: (command) => host.post(command),
    nextLink: () => ++links as LinkNumber,
    nextRequest: () => ++requests,
    emit: (event) => options.onEvent(event),
    copy: null,
    now: () => Date.now(),
  })
  onEvent = (event) => session.handleHost(event)
  session.tick(performance.now())
  session.handleHost({ type: "bootstrap-state", server: SERVER, state: "up" })
  const timer = setInterval(() => session.tick(performance.now()), 50)
  return async () => {
    clearInterval(timer)
    await session.close("left")
    host.close()
  }
}
