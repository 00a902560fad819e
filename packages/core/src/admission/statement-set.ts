import * as P from "micro-packed"
import type { MemberCredentialChecker } from "../identity/index.ts"
import { boundedBytes, boundedList, decodeOrNull } from "../wire/index.ts"
import { type Standing, standingOf } from "./standing.ts"
import {
  decodeStatement,
  isSignedByIssuer,
  NO_STATEMENT,
  STATEMENT_BYTES_MAX,
  type PersonKey,
  type SignedStatement,
  type StatementId,
  type StatementScope,
} from "./statement.ts"

/** Of one issuer. At the bound a host can say no more: the conference's creator, or a host who has said less, still can. */
export const STATEMENTS_OF_ONE_MAX = 256
/** Altogether; what comes beyond is not taken. */
export const STATEMENTS_MAX = 1024
/** Of all statements. */
export const STATEMENTS_BYTES_MAX = 768 * 1024

export const statementListCoder = boundedList(boundedBytes(P.U16BE, STATEMENT_BYTES_MAX), STATEMENTS_MAX)

/** The grow-only set of what hosts have said, merged with whatever other members hold. */
export class StatementSet {
  readonly #creator: PersonKey
  readonly #scope: StatementScope
  readonly #checker: MemberCredentialChecker
  readonly #all = new Map<StatementId, SignedStatement>()
  #bytes = 0
  #standing: Standing

  constructor(creator: PersonKey, scope: StatementScope, checker: MemberCredentialChecker) {
    this.#creator = creator
    this.#scope = scope
    this.#checker = checker
    this.#standing = standingOf(creator, [])
  }

  get standing(): Standing {
    return this.#standing
  }

  /** Nothing more of this issuer would be taken. */
  isFullFor(issuer: PersonKey): boolean {
    const own = this.#of(issuer).length
    const room = this.#bytes + 2 * STATEMENT_BYTES_MAX <= STATEMENTS_BYTES_MAX
    return own + 2 > STATEMENTS_OF_ONE_MAX || this.#all.size + 2 > STATEMENTS_MAX || !room
  }

  /** The issuer's last, as far as it is known here. */
  last(issuer: PersonKey): SignedStatement | null {
    return this.#of(issuer).reduce<SignedStatement | null>(
      (last, each) => (last && last.statement.number >= each.statement.number ? last : each),
      null,
    )
  }

  /**
   * Takes what is new, well-formed, signed, and of somebody who is or was a host. What a liar adds costs one signature to
   * check: the first bad one ends it.
   * @returns whether the standing has changed; `bad` if something was not what it should be.
   */
  async merge(encoded: readonly Uint8Array[]): Promise<{ readonly changed: boolean; readonly bad: boolean }> {
    const before = this.#standing.digest
    const fresh = encoded.map(decodeStatement)
    const bad = fresh.includes(null)
    const waiting = new Set(fresh.filter((each) => each !== null && !this.#all.has(each.id)) as SignedStatement[])
    for (let taken = true; taken;) {
      taken = false
      for (const signed of [...waiting].sort((a, b) => a.statement.number - b.statement.number)) {
        if (!this.#mayTake(signed)) continue
        waiting.delete(signed)
        if (!(await isSignedByIssuer(signed, this.#scope, this.#checker)))
          return { changed: this.#isAfter(before), bad: true }
        // Another message may have brought it while the signature was checked.
        if (this.#all.has(signed.id) || !this.#mayTake(signed)) continue
        this.#all.set(signed.id, signed)
        this.#bytes += signed.bytes.length
        this.#standing = standingOf(this.#creator, [...this.#all.values()])
        taken = true
      }
    }
    return { changed: this.#isAfter(before), bad }
  }

  /** In an order in which they can be merged. */
  encoded(): Uint8Array[] {
    return [...this.#all.values()].map(({ bytes }) => bytes)
  }

  #isAfter(digest: string): boolean {
    return this.#standing.digest !== digest
  }

  #mayTake({ statement, bytes }: SignedStatement): boolean {
    const { issuer, previous } = statement
    if (!this.#standing.everHosts.has(issuer)) return false
    if (previous !== NO_STATEMENT && !this.#all.has(previous)) return false
    if (this.#all.size >= STATEMENTS_MAX || this.#bytes + bytes.length > STATEMENTS_BYTES_MAX) return false
    return this.#of(issuer).length < STATEMENTS_OF_ONE_MAX
  }

  #of(issuer: PersonKey): SignedStatement[] {
    return [...this.#all.values()].filter(({ statement }) => statement.issuer === issuer)
  }
}

export function encodeStatements(statements: readonly Uint8Array[]): Uint8Array {
  return statementListCoder.encode([...statements])
}

/** Null for what is no list. */
export function decodeStatements(bytes: Uint8Array): Uint8Array[] | null {
  return decodeOrNull(statementListCoder, bytes)
}
