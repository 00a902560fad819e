/**
 * Whom this identity has verified: public keys, with the names under which that was.
 *
 * Kept with the identity, signed by its key: entries that somebody else wrote, or that were copied from another identity, do
 * not count. It is not encrypted: whoever can read the storage finds the private key beside it, or a key to it, so a cipher
 * would hide nothing (threats: thief of a device). What a signature cannot show is that an older list was put back.
 */
import type { MemberId, Signer } from "@keymoot/transport"
import { bytesToHex } from "@noble/hashes/utils.js"
import * as P from "micro-packed"
import { KeymootError } from "../api.ts"
import { boundedBytes, boundedList, decodeOrNull, domainSeparated, timestampMs, versionByte } from "../wire/index.ts"
import type { MemberCredentialChecker } from "./credential-checker.ts"
import { NAME_CODE_POINTS_MAX } from "./name.ts"
import type { IdentityStore } from "./store.ts"

/** At the bound nobody else can be verified: to forget somebody in silence would be to stop watching over them. */
export const VERIFIED_PEOPLE_MAX = 512

const VERSION = 1
const PERSON_BYTES_MAX = 32 + 8 + 1 + 4 * NAME_CODE_POINTS_MAX
const DOMAIN = "keymoot v1 verified people"

/** `publicKey`: raw Ed25519. `name`: at the time. */
type Person = { readonly publicKey: Uint8Array; readonly name: string; readonly verifiedAtMs: number }

const people = P.struct({
  version: versionByte(VERSION),
  people: boundedList<Person>(
    P.struct({ publicKey: P.bytes(32), verifiedAtMs: timestampMs, name: P.string(P.U8) }),
    VERIFIED_PEOPLE_MAX,
  ),
})
const list = P.struct({
  people: boundedBytes(P.U32BE, 3 + VERIFIED_PEOPLE_MAX * PERSON_BYTES_MAX),
  signature: P.bytes(64),
})

export type VerifiedPeopleConfig = {
  readonly store: IdentityStore
  /** Of the identity's record. */
  readonly id: string
  readonly signer: Signer
  readonly checker: MemberCredentialChecker
  /** This identity's, raw Ed25519. */
  readonly publicKey: Uint8Array
}

type Named = { readonly id: MemberId; readonly name: string; readonly publicKey: Uint8Array }

export class VerifiedPeople {
  readonly #config: VerifiedPeopleConfig
  #byKey: ReadonlyMap<string, Person> = new Map()
  #names: ReadonlySet<string> = new Set()
  #altered = false

  private constructor(config: VerifiedPeopleConfig) {
    this.#config = config
  }

  /** @throws KeymootError `storage-unavailable` */
  static async open(config: VerifiedPeopleConfig): Promise<VerifiedPeople> {
    const opened = new VerifiedPeople(config)
    await opened.#read()
    return opened
  }

  /** What was stored had not been signed by this identity, and is not used. */
  get altered(): boolean {
    return this.#altered
  }

  isVerified(publicKey: Uint8Array): boolean {
    return this.#byKey.has(bytesToHex(publicKey))
  }

  /** Of a view's members: those under the name of somebody verified, here or absent, whose key is another one. */
  impostors(members: readonly Named[]): ReadonlySet<MemberId> {
    const verified = members.filter(({ publicKey }) => this.isVerified(publicKey))
    // Also under the names that they bear today.
    const names = new Set([...this.#names, ...verified.map(({ name }) => alike(name))])
    const suspects = members.filter(({ name, publicKey }) => names.has(alike(name)) && !this.isVerified(publicKey))
    return new Set(suspects.map(({ id }) => id))
  }

  /** @throws KeymootError `storage-unavailable`, `too-large` at the bound */
  verify(publicKey: Uint8Array, name: string, nowMs: number): Promise<void> {
    return this.#change((people) => {
      const key = bytesToHex(publicKey)
      if (!people.has(key) && people.size >= VERIFIED_PEOPLE_MAX) {
        const message = `You have verified ${VERIFIED_PEOPLE_MAX} people. Withdraw somebody's verification first.`
        throw new KeymootError("too-large", message)
      }
      people.set(key, { publicKey, name, verifiedAtMs: nowMs })
    })
  }

  unverify(publicKey: Uint8Array): Promise<void> {
    return this.#change((people) => void people.delete(bytesToHex(publicKey)))
  }

  /** Read again first: another tab may have written meanwhile. */
  #change(change: (people: Map<string, Person>) => void): Promise<void> {
    const { store } = this.#config
    return store.exclusively(async () => {
      const record = await this.#read()
      if (!record) throw new KeymootError("closed", "This identity is not on this device any more. Open it again.")
      const changed = new Map(this.#byKey)
      change(changed)
      await store.save({ ...record, verified: await this.#sign([...changed.values()]) })
      this.#altered = false
      this.#become(changed)
    })
  }

  async #read() {
    const { store, id, publicKey, checker } = this.#config
    const record = await store.load(id)
    const stored = record?.verified ? decodeOrNull(list, record.verified) : null
    const isOurs = stored && (await checker.verify(publicKey, signed(publicKey, stored.people), stored.signature))
    const decoded = isOurs ? decodeOrNull(people, stored.people) : null
    this.#altered = record?.verified !== undefined && !decoded
    this.#become(new Map((decoded?.people ?? []).map((person) => [bytesToHex(person.publicKey), person])))
    return record
  }

  /** In one go: a view that comes while this waits must take nobody for an impostor. */
  #become(byKey: ReadonlyMap<string, Person>): void {
    this.#byKey = byKey
    this.#names = new Set([...byKey.values()].map(({ name }) => alike(name)))
  }

  async #sign(verified: Person[]): Promise<Uint8Array> {
    const { signer, publicKey } = this.#config
    const bytes = people.encode({ people: verified })
    return list.encode({ people: bytes, signature: await signer.sign(signed(publicKey, bytes)) })
  }
}

function signed(publicKey: Uint8Array, bytes: Uint8Array): Uint8Array {
  return domainSeparated(DOMAIN, publicKey, bytes)
}

/** Names that a person would take for the same. */
function alike(name: string): string {
  return name.normalize("NFKC").toLowerCase().replaceAll(/\s+/gu, " ")
}
