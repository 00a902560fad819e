import { ed25519 } from "@noble/curves/ed25519.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes, equalBytes } from "@noble/curves/utils.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { memberIdFromBytes, Mesh } from "../../src/index.ts"
import type { Credential, CredentialChecker, MemberId, MeshConfig, MeshOutput, Signer } from "../../src/index.ts"
import type { ConnectionId, Host, HostCommand, HostFactory } from "../../src/port/port.ts"
import { Random } from "../../src/testing/random/random.ts"

export const SERVER = "https://meet.example"
export const conferenceId = new Uint8Array(16).fill(1)
export const descriptorHash = new Uint8Array(32).fill(2)
export const invitation = {
  signal: new Uint8Array(32).fill(3),
  advertisement: new Uint8Array(32).fill(4),
  association: new Uint8Array(32).fill(5),
}

const CERTIFICATE_LABEL = utf8ToBytes("certificate of ")

/** A made-up certificate: a label, the public key, and the key's signature of both. */
export class TestIdentity implements Signer {
  readonly secretKey: Uint8Array
  readonly credential: Credential

  constructor(random: Random) {
    this.secretKey = random.bytes(32)
    const publicKey = ed25519.getPublicKey(this.secretKey)
    const content = concatBytes(CERTIFICATE_LABEL, publicKey)
    const certificate = concatBytes(content, ed25519.sign(content, this.secretKey))
    this.credential = { member: memberIdFromBytes(sha256(certificate).slice(0, 16)), certificate, publicKey }
  }

  get member(): MemberId {
    return this.credential.member
  }

  get certificate(): Uint8Array {
    return this.credential.certificate
  }

  async sign(bytes: Uint8Array): Promise<Uint8Array> {
    return ed25519.sign(bytes, this.secretKey)
  }
}

export class CountingChecker implements CredentialChecker {
  checks = 0
  verifications = 0

  async check(certificate: Uint8Array): Promise<Credential | null> {
    this.checks += 1
    const content = certificate.slice(0, -64)
    const publicKey = content.slice(CERTIFICATE_LABEL.length)
    if (!equalBytes(content.slice(0, CERTIFICATE_LABEL.length), CERTIFICATE_LABEL)) return null
    if (!verifyOrFalse(certificate.slice(-64), content, publicKey)) return null
    return { member: memberIdFromBytes(sha256(certificate).slice(0, 16)), certificate, publicKey }
  }

  async verify(publicKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array): Promise<boolean> {
    this.verifications += 1
    return verifyOrFalse(signature, bytes, publicKey)
  }
}

/** Holds back whatever goes through it until it is opened. */
export class Gate {
  #waiting: (() => void)[] = []

  get waiting(): number {
    return this.#waiting.length
  }

  pass(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  open(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}

function verifyOrFalse(signature: Uint8Array, bytes: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return ed25519.verify(signature, bytes, publicKey)
  } catch {
    return false
  }
}

/** A mesh on a host, with everything that it did. */
export class TestMember {
  readonly identity: TestIdentity
  readonly checker = new CountingChecker()
  readonly outputs: MeshOutput[] = []
  readonly commands: HostCommand[] = []
  readonly mesh: Mesh
  readonly host: Host
  #numbers = 0

  constructor(factory: HostFactory, random: Random, identity: TestIdentity, overrides: Partial<MeshConfig> = {}) {
    this.identity = identity
    this.host = factory((event) => this.mesh.handle(event))
    this.mesh = new Mesh({
      conferenceId,
      descriptorHash,
      server: SERVER,
      keys: invitation,
      signer: identity,
      incarnation: 1,
      credentials: this.checker,
      policy: { admits: () => true },
      random,
      host: {
        nextConnection: () => ++this.#numbers as ConnectionId,
        nextRequest: () => ++this.#numbers,
        post: (command) => {
          this.commands.push(command)
          this.host.post(command)
        },
      },
      sink: { take: (output) => void this.outputs.push(output) },
      ...overrides,
    })
    this.mesh.tick(0)
    this.host.post({ type: "bootstrap-connect", server: SERVER })
  }

  get member(): MemberId {
    return this.identity.member
  }

  of<T extends MeshOutput["type"]>(type: T): Extract<MeshOutput, { type: T }>[] {
    return this.outputs.filter((output): output is Extract<MeshOutput, { type: T }> => output.type === type)
  }

  commandsOf<T extends HostCommand["type"]>(type: T): Extract<HostCommand, { type: T }>[] {
    return this.commands.filter((command): command is Extract<HostCommand, { type: T }> => command.type === type)
  }

  /** Members with a link now. */
  get links(): MemberId[] {
    const up = new Set<MemberId>()
    for (const output of this.outputs) {
      if (output.type === "linkUp") up.add(output.peer)
      else if (output.type === "linkDown") up.delete(output.peer)
    }
    return [...up].sort()
  }

  get received(): Uint8Array[] {
    return this.of("frame").map(({ bytes }) => bytes)
  }

  get securityCodes(): string[] {
    return this.of("security").map(({ code, detail }) => `${code}: ${detail}`)
  }
}
