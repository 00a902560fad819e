/** A group driver on a mesh with real keys: one member of a conference without channels and documents. */
import { aesGcm } from "../ciphers/aes-gcm.ts"
import { loadSodiumGroup } from "@keymoot/gke"
import { Mesh, type GroupConfig, type MemberId, type MeshOutput, type View } from "@keymoot/transport"
import type { ConnectionId, HostEvent, HostFactory } from "@keymoot/transport/host"
import type { DriverEvent } from "../driver/driver-config.ts"
import { GroupDriver } from "../driver/group-driver.ts"
import { MemberLinks } from "../driver/member-links.ts"
import { deliver, type SendOutcome } from "../driver/outbox.ts"
import { loadHopCipher } from "../platform/hop-cipher.ts"
import { platformRandomness } from "../platform/surroundings.ts"
import { createCredentialChecker } from "../identity/certificates/credential-checker.ts"
import { createMemoryStore } from "../identity/memory-store.ts"
import { openIdentity, type OwnIdentity } from "../identity/own-identity.ts"
import { CONFERENCE_MEMBERS_MAX } from "@keymoot/transport/signaling-protocol"
import { OverlayLinks } from "../overlay/overlay-links.ts"
import { CREDENTIALS_KNOWN_MAX, type KnownCredentials } from "../frames/frame-opener.ts"
import { Topology } from "../overlay/topology.ts"
import { LruMap } from "../wire/index.ts"
import type { BatchMessage, BatchService } from "../multicast/batch.ts"

const SERVER = "http://localhost:1"
const CONFERENCE = "00112233445566778899aabbccddeeff"
const hopCipher = await loadHopCipher()
const group = await loadSodiumGroup()

export type LinkedMemberConfig = {
  readonly name: string
  readonly host: HostFactory
  readonly times: Omit<GroupConfig, "self" | "conferenceTag" | "epochFloor">
  readonly onEvent: (event: DriverEvent) => void
  /** Gets the links' outputs before the group. Returning true keeps one from the group. */
  readonly onLink?: (output: MeshOutput) => boolean
  /** Time of the first tick. */
  readonly nowMs: number
  /** As in `OverlayLinksConfig`. */
  readonly meshMax?: number | undefined
}

export class LinkedMember {
  readonly id: MemberId
  readonly driver: GroupDriver
  readonly mesh: Mesh
  readonly topology: Topology
  readonly links: OverlayLinks
  readonly #host: ReturnType<HostFactory>
  #secured: View | null = null
  #numbers = 0

  private constructor(identity: OwnIdentity, config: LinkedMemberConfig) {
    const { host, times, onEvent, onLink, nowMs, meshMax } = config
    const { member, certificate, publicKey, name, signer } = identity
    this.id = member
    const checker = createCredentialChecker()
    const hash = new Uint8Array(32)
    const keys = { signal: hash, advertisement: hash, association: hash }
    const known: KnownCredentials = new LruMap(CREDENTIALS_KNOWN_MAX)
    this.topology = new Topology({ id: member, incarnation: 1 }, Math.random, meshMax)
    this.mesh = new Mesh({
      conferenceId: new Uint8Array(16),
      descriptorHash: hash,
      server: SERVER,
      keys,
      signer,
      incarnation: 1,
      credentials: checker,
      policy: {
        admits: () => true,
        wants: ({ member: other }) => this.topology.wants(other),
        advertises: () => this.topology.isWide,
      },
      random: platformRandomness,
      hopCipher,
      host: {
        nextConnection: () => ++this.#numbers as ConnectionId,
        nextRequest: () => ++this.#numbers,
        post: (command) => this.#host.post(command),
      },
      sink: {
        take: (output) => {
          if (!onLink?.(output)) this.links.handle(output)
        },
      },
    })
    this.links = new OverlayLinks({
      conferenceTag: hash,
      signer,
      own: { member, certificate, publicKey, name },
      checker,
      policy: { keys: [keys], mayBeInside: () => true },
      topology: this.topology,
      mesh: this.mesh,
      sink: {
        take: (output) => {
          if (output.type === "server" || output.type === "path") return
          if (output.type === "acknowledged" || output.type === "superseded" || output.type === "otherVersions") return
          this.driver.handle(output)
        },
      },
      faults: {
        fail: (error) => {
          throw error
        },
      },
    })
    this.driver = new GroupDriver({
      links: new MemberLinks(this.mesh, this.links),
      known,
      group: {
        self: { id: member, incarnation: 1 },
        conferenceTag: hash,
        epochFloor: 0,
        membersMax: CONFERENCE_MEMBERS_MAX,
        ...times,
      },
      authenticity: "signature",
      secure: {
        module: "tgdh",
        group,
        conferenceId: new Uint8Array(16),
        descriptorHash: hash,
        cipher: aesGcm,
        postQuantum: "off",
        kem: null,
        invitation: hash,
        random: platformRandomness,
      },
      rules: { digest: () => hash },
      conferenceId: CONFERENCE,
      self: { member, certificate, publicKey, name },
      roster: [],
      signer,
      checker,
      identifiedBy: "certificate",
      sink: {
        take: (event) => {
          if (event.type === "agreeing") this.#secured = null
          if (event.type === "secured") this.#secured = event.view
          onEvent(event)
          if (event.type === "batch") for (const own of event.own) deliver(own, null)
        },
      },
      faults: {
        fail: (error) => {
          throw error
        },
      },
    })
    this.#host = host((event: HostEvent) => this.mesh.handle(event))
    this.tick(nowMs)
    this.#host.post({ type: "bootstrap-connect", server: SERVER })
  }

  static async start(config: LinkedMemberConfig): Promise<LinkedMember> {
    return new LinkedMember(await openIdentity({ name: config.name, store: createMemoryStore() }), config)
  }

  /** Present view once every member has proved its key; null until then. */
  get secured(): View | null {
    return this.#secured
  }

  tick(nowMs: number): void {
    this.mesh.tick(nowMs)
    this.links.tick(nowMs, this.driver.heldUp)
    this.driver.tick(nowMs)
  }

  /** Resolves when the message is delivered here in order. @throws KeymootError `queue-full` */
  send(payload: Uint8Array, service: BatchService = "agreed"): Promise<void> {
    const message: BatchMessage = { channel: "test", kind: 0, payload, sentAtMs: 0 }
    return new Promise((resolve, reject) => {
      const take = (result: SendOutcome): void => (result.type === "failed" ? reject(result.error) : resolve())
      this.driver.send({ message, service, bulk: false, request: null, outcome: { take } })
    })
  }

  async leave(): Promise<void> {
    await this.driver.close()
    this.mesh.close()
  }

  /** Stops without a goodbye. The host ends open connections. */
  crash(): void {
    this.#host.close()
  }
}
