/** Cryptography as other threads do it: some results come after other events of the simulation. */
import type { MemberId, Signer } from "@keymoot/transport"
import type { World } from "@keymoot/transport/testing"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { utf8 } from "@scure/base"
import { aesGcm } from "../../../src/ciphers/aes-gcm.ts"
import type { DataCipher } from "../../../src/ciphers/aead.ts"
import type {
  MemberCredential,
  MemberCredentialChecker,
} from "../../../src/identity/certificates/credential-checker.ts"
import type { Cryptography } from "../cryptography.ts"

/** Share of the results that take time, and the longest. */
const SLOW = 0.2
const SLOW_MS_MAX = 12

export class Threads {
  readonly #world: World
  readonly #cryptography: Cryptography

  constructor(world: World, cryptography: Cryptography) {
    this.#world = world
    this.#cryptography = cryptography
  }

  /** Resolves at once, or after some virtual time. */
  done<T>(result: T): Promise<T> {
    const { random, events } = this.#world
    if (!random.chance(SLOW)) return Promise.resolve(result)
    const delayMs = random.next() * random.next() * SLOW_MS_MAX
    return new Promise((resolve) => events.after(delayMs, () => resolve(result)))
  }

  credentialOf(member: MemberId): MemberCredential {
    const publicKey = this.#cryptography.publicKeyOf(member)
    return { member, certificate: utf8ToBytes(member), publicKey, name: this.#world.names.of(member) }
  }

  signerOf(member: MemberId): Signer {
    const { certificate } = this.credentialOf(member)
    return { member, certificate, sign: (bytes) => this.done(this.#cryptography.sign(member, bytes)) }
  }

  get checker(): MemberCredentialChecker {
    const { frameSigner, verifier } = this.#cryptography
    return {
      check: (certificate) => this.done(this.credentialOf(utf8.encode(certificate) as MemberId)),
      verify: (publicKey, bytes, signature) =>
        this.done(frameSigner === null || verifier.verify(publicKey, bytes, signature)),
    }
  }

  readonly cipher: DataCipher = {
    name: aesGcm.name,
    create: (key) => {
      const { seal, open, erase } = aesGcm.create(key)
      return {
        seal: async (nonce, associatedData, plaintext) => this.done(await seal(nonce, associatedData, plaintext)),
        open: async (nonce, associatedData, ciphertext) => this.done(await open(nonce, associatedData, ciphertext)),
        erase,
      }
    },
  }
}
