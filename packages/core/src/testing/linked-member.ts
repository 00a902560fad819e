/** A group driver on a mesh, with real keys: one member of a conference, below what channels and documents mean. */
import { loadSodiumGroup } from "@keymoot/gke"
import { Mesh, type GroupConfig, type MemberId, type MeshOutput, type View } from "@keymoot/transport"
import type { HostEvent, HostFactory, LinkNumber } from "@keymoot/transport/host"
import { randomBytes } from "@noble/hashes/utils.js"
import type { DriverEvent } from "../engine/driver-config.ts"
import { GroupDriver } from "../engine/group-driver.ts"
import { loadHopCipher } from "../engine/hop-cipher.ts"
import {
  createCredentialChecker,
  createMemoryStore,
  fingerprintOf,
  openIdentity,
  type OwnIdentity,
} from "../identity/index.ts"
import { CONFERENCE_MEMBERS_MAX, OverlayLinks } from "../engine/overlay-links.ts"
import type { BatchMessage, BatchService } from "../multicast/index.ts"

const SERVER = "http://localhost:1"
const CONFERENCE = "00112233445566778899aabbccddeeff"
const hopCipher = await loadHopCipher()
const group = await loadSodiumGroup()

export type LinkedMemberConfig = {
  readonly name: string
  readonly host: HostFactory
  readonly times: Omit<GroupConfig, "self" | "conferenceTag" | "epochFloor">
  readonly onEvent: (event: DriverEvent) => void
  /** Sees what its links tell before the group does; true: it was not for the group. */
  readonly onLink?: (output: MeshOutput) => boolean
  /** Of the first tick. */
  readonly nowMs: number
  /** As in `OverlayLinksConfig`. */
  readonly meshMax?: number | undefined
}

export class LinkedMember {
  readonly id: MemberId
  readonly driver: GroupDriver
  readonly mesh: Mesh
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
    this.driver = new GroupDriver({
      group: {
        self: { id: member, incarnation: 1 },
        conferenceTag: hash,
        epochFloor: 0,
        membersMax: CONFERENCE_MEMBERS_MAX,
        ...times,
      },
      secure: {
        module: "tgdh",
        group,
        conferenceId: new Uint8Array(16),
        descriptorHash: hash,
        invitation: hash,
        random: randomBytes,
      },
      statementsDigest: () => hash,
      conferenceId: CONFERENCE,
      self: { member, certificate, publicKey, name },
      roster: [],
      signer,
      checker,
      fingerprintOf: ({ certificate }) => fingerprintOf(certificate),
      emit: (event) => {
        if (event.type === "agreeing") this.#secured = null
        if (event.type === "secured") this.#secured = event.view
        onEvent(event)
        if (event.type === "batch") for (const own of event.own) own.delivered(null)
      },
      fail: (error) => {
        throw error
      },
    })
    const keys = { signal: hash, advertisement: hash, association: hash }
    this.links = new OverlayLinks({
      conferenceTag: hash,
      incarnation: 1,
      signer,
      own: { member, certificate, publicKey, name },
      checker,
      keys: () => [keys],
      random: Math.random,
      meshMax,
      admits: () => true,
      mesh: () => this.mesh,
      emit: (output) => {
        if (output.type === "server" || output.type === "path") return
        if (output.type === "acknowledged" || output.type === "superseded") return
        this.driver.handle(output)
      },
      onHeartbeat: (from, heartbeat) => this.driver.hearHeartbeat(from, heartbeat),
      onFrame: (carried) => this.driver.takeCarried(carried),
      fail: (error) => {
        throw error
      },
    })
    this.mesh = new Mesh({
      conferenceId: new Uint8Array(16),
      descriptorHash: hash,
      server: SERVER,
      keys,
      signer,
      incarnation: 1,
      credentials: checker,
      admits: () => true,
      wants: ({ member: other }) => this.links.wants(other),
      isMissing: () => this.links.isMissing(),
      random: randomBytes,
      hopCipher,
      iceServers: [],
      nextLink: () => ++this.#numbers as LinkNumber,
      nextRequest: () => ++this.#numbers,
      post: (command) => this.#host.post(command),
      emit: (output) => {
        if (!onLink?.(output)) this.links.handle(output)
      },
    })
    this.driver.attach(this.mesh, this.links)
    this.#host = host((event: HostEvent) => this.mesh.handle(event))
    this.tick(nowMs)
    this.#host.post({ type: "bootstrap-connect", server: SERVER })
  }

  static async start(config: LinkedMemberConfig): Promise<LinkedMember> {
    return new LinkedMember(await openIdentity({ name: config.name, store: createMemoryStore() }), config)
  }

  /** Of the present view once every member has proved its key; null until then. */
  get secured(): View | null {
    return this.#secured
  }

  tick(nowMs: number): void {
    this.mesh.tick(nowMs)
    this.links.tick(nowMs)
    this.driver.tick(nowMs)
  }

  /** Resolves when it was delivered here, in its place. @throws KeymootError `queue-full` */
  send(payload: Uint8Array, service: BatchService = "agreed"): Promise<void> {
    const message: BatchMessage = { channel: "test", kind: 0, payload, sentAtMs: 0 }
    return new Promise((resolve, reject) => {
      this.driver.send({ message, service, bulk: false, request: null, delivered: () => resolve(), failed: reject })
    })
  }

  async leave(): Promise<void> {
    await this.driver.close()
    this.mesh.close()
  }

  /** Without a word: what is open is broken by the host. */
  crash(): void {
    this.#host.close()
  }
}
