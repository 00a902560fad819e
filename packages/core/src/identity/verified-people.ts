/**
 * People that this identity has verified: public keys, with their names at that time.
 *
 * The list is stored with the identity and signed by its key. Entries that another program wrote or copied from another
 * identity are rejected. It is not encrypted, because the private key, or a key to it, lies in the same storage
 * (threats: thief of a device). A signature does not prevent a rollback to an older list.
 */
import type { MemberId, Signer } from "@keymoot/transport"
import { bytesToHex } from "@noble/hashes/utils.js"
import * as P from "micro-packed"
import { KeymootError } from "../api/index.ts"
import {
  boundedBytes,
  boundedList,
  decodeOrNull,
  domainSeparated,
  equalBytes,
  timestampMs,
  versionByte,
} from "../wire/index.ts"
import type { MemberCredentialChecker } from "./certificates/credential-checker.ts"
import { NAME_CODE_POINTS_MAX } from "./certificates/name.ts"
import { isWatched, watchedSkeletons } from "./name-skeleton.ts"
import type { IdentityStore } from "./store.ts"

/** At the bound no further person can be verified. Silent eviction would end the warnings about a person. */
export const VERIFIED_PEOPLE_MAX = 512

const VERSION = 1
const PERSON_BYTES_MAX = 32 + 8 + 1 + 4 * NAME_CODE_POINTS_MAX
const DOMAIN = "keymoot v1 verified people"

/** `publicKey`: raw Ed25519. `name`: at the time of verification. */
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
  /** Id of the identity's record. */
  readonly id: string
  readonly signer: Signer
  readonly checker: MemberCredentialChecker
  /** This identity's key, raw Ed25519. */
  readonly publicKey: Uint8Array
}

type Named = { readonly id: MemberId; readonly name: string; readonly publicKey: Uint8Array }

export class VerifiedPeople {
  readonly #config: VerifiedPeopleConfig
  #byKey: ReadonlyMap<string, Person> = new Map()
  /** Skeletons of the names at verification. */
  #watched: ReadonlySet<string> = new Set()
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

  /** Whether the stored list was not signed by this identity, and was discarded. */
  get altered(): boolean {
    return this.#altered
  }

  isVerified(publicKey: Uint8Array): boolean {
    return this.#byKey.has(bytesToHex(publicKey))
  }

  /**
   * Returns the people whose name looks like a verified person's, present or absent, and whose key differs. A verified
   * person that was verified under that name is none of them.
   * @param present members whose names are compared with those of `people`; they are not returned
   */
  impostors(people: readonly Named[], present: readonly Named[] = []): ReadonlySet<MemberId> {
    const bearers = [...present, ...people].filter(({ publicKey }) => this.isVerified(publicKey))
    // Includes the present names of verified members.
    const watched = new Set([...this.#watched, ...bearers.flatMap(({ name }) => watchedSkeletons(name))])
    const impostors = people.filter((person) => {
      if (!this.isVerified(person.publicKey)) return isWatched(person.name, watched)
      return !this.isVerifiedAs(person) && this.#isNameOfOther(person, present)
    })
    return new Set(impostors.map(({ id }) => id))
  }

  /**
   * Whether this key was verified under a name that looks like this one. Before a meeting the name decides as much as
   * the key, and a verified person can take another's name.
   */
  isVerifiedAs({ name, publicKey }: Omit<Named, "id">): boolean {
    const person = this.#byKey.get(bytesToHex(publicKey))
    return person !== undefined && isWatched(name, new Set(watchedSkeletons(person.name)))
  }

  /** Returns a check of authors: whether one has a verified person's name, or one of `others`', with another key. */
  authorCheck(others: readonly Omit<Named, "id">[]): (author: Omit<Named, "id">) => boolean {
    const skeletonsOf = (people: typeof others) => new Set(people.flatMap(({ name }) => watchedSkeletons(name)))
    const keys = new Set(others.map(({ publicKey }) => bytesToHex(publicKey)))
    const ofAll = skeletonsOf(others)
    const ofVerified = skeletonsOf(others.filter(({ publicKey }) => this.isVerified(publicKey)))
    return ({ name, publicKey }) => {
      if (this.isVerified(publicKey)) return !this.isVerifiedAs({ name, publicKey }) && isWatched(name, this.#watched)
      // Two of `others` may share a name as long as neither is verified.
      return isWatched(name, this.#watched) || isWatched(name, keys.has(bytesToHex(publicKey)) ? ofVerified : ofAll)
    }
  }

  /** Whether another verified person has the name of this one: at verification, or now in `present`. */
  #isNameOfOther({ name, publicKey }: Named, present: readonly Named[]): boolean {
    const isOther = (other: Named): boolean =>
      this.isVerified(other.publicKey) && !equalBytes(other.publicKey, publicKey)
    const names = present.filter(isOther).flatMap((other) => watchedSkeletons(other.name))
    return isWatched(name, new Set([...this.#watched, ...names]))
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

  /** Reads again first, because another tab may have written meanwhile. */
  #change(change: (people: Map<string, Person>) => void): Promise<void> {
    const { store } = this.#config
    return store.exclusively(async () => {
      const record = await this.#read()
      if (!record) throw new KeymootError("closed", "This identity is no longer on this device. Open it again.")
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

  /** Replaces all in one step, so that a concurrent view sees no intermediate state and reports no false impostor. */
  #become(byKey: ReadonlyMap<string, Person>): void {
    this.#byKey = byKey
    this.#watched = new Set([...byKey.values()].flatMap(({ name }) => watchedSkeletons(name)))
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
