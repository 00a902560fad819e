import * as P from "micro-packed"
import type { MemberCredentialChecker } from "../../identity/certificates/credential-checker.ts"
import { boundedBytes, boundedList, decodeOrNull } from "../../wire/index.ts"
import { CREATOR_BYTES_MAX, CREATOR_STATEMENTS_MAX, HOST_BYTES_MAX, HOST_STATEMENTS_MAX } from "./chains.ts"
import { type Ground, HOSTS_MAX, readStatements, type Reading, type Standing } from "./standing.ts"
import {
  decodeStatement,
  isSignedByIssuer,
  STATEMENT_BYTES_MAX,
  type PersonKey,
  type SignedStatement,
  type Statement,
  type StatementId,
  type StatementScope,
} from "./statement.ts"

/** Bound on the kept statements: all hosts' quotas, and one more for each host that can be convicted. */
export const STATEMENTS_MAX = CREATOR_STATEMENTS_MAX + HOSTS_MAX * (HOST_STATEMENTS_MAX + 1)
/** Bound on this member's own statements, valid or not. At the bound it can no longer act as a host. */
export const OWN_STATEMENTS_MAX = 512
/** Statements of one action: a removal, and the invitation that follows. */
const AT_ONCE_MAX = 2
/** Bytes of one action. Only the invitation is large. */
const ACT_BYTES_MAX = STATEMENT_BYTES_MAX + 256

export const statementListCoder = boundedList(
  boundedBytes(P.U16BE, STATEMENT_BYTES_MAX),
  STATEMENTS_MAX + OWN_STATEMENTS_MAX + AT_ONCE_MAX,
)

/** The valid statements of hosts. It merges those of other members. */
export class StatementSet {
  readonly #ground: Ground
  readonly #scope: StatementScope
  readonly #checker: MemberCredentialChecker
  readonly #self: PersonKey
  #reading: Reading
  /**
   * Own statements, also while they are not valid. After a merge, a lost office may prove not to be lost. Its host must
   * then continue its chain, or it would sign two statements of one number.
   */
  readonly #own = new Map<StatementId, SignedStatement>()

  constructor(ground: Ground, scope: StatementScope, checker: MemberCredentialChecker, self: PersonKey) {
    this.#ground = ground
    this.#scope = scope
    this.#checker = checker
    this.#self = self
    this.#reading = readStatements(ground, [])
  }

  get standing(): Standing {
    return this.#reading.standing
  }

  /** Whether the quota has room for this many more actions. */
  hasRoomFor(acts: number): boolean {
    const count = acts * AT_ONCE_MAX
    const isCreator = this.#self === this.#ground.creator
    const [countMax, bytesMax] = isCreator
      ? [CREATOR_STATEMENTS_MAX, CREATOR_BYTES_MAX]
      : [HOST_STATEMENTS_MAX, HOST_BYTES_MAX]
    const said = this.#reading.kept.filter(({ statement }) => statement.issuer === this.#self)
    const bytes = said.reduce((sum, each) => sum + each.bytes.length, 0)
    if (bytes + acts * ACT_BYTES_MAX > bytesMax) return false
    return said.length + count <= countMax && this.#own.size + count <= OWN_STATEMENTS_MAX
  }

  /** Place of this member's next statement after `said`, which is not merged yet; null if it is no host. */
  next(said?: SignedStatement): Pick<Statement, "issuer" | "office" | "number" | "previous"> | null {
    const office = this.standing.offices.get(this.#self)
    if (!office || office.id === null) return null
    const own = [...this.#own.values()].filter(({ statement }) => statement.office === office.id)
    const last = said ?? own.toSorted((a, b) => a.statement.number - b.statement.number).at(-1)
    return {
      issuer: this.#self,
      office: office.id,
      number: (last?.statement.number ?? 0) + 1,
      previous: last?.id ?? office.after,
    }
  }

  /**
   * Merges statements that are well-formed, signed, and valid or convicting. It checks no other signatures, so that
   * useless statements cost little. The first malformed statement ends the reading, and the first bad signature the merge.
   * @returns whether the standing has changed; `bad` if a statement was malformed or forged.
   */
  async merge(encoded: readonly Uint8Array[]): Promise<{ readonly changed: boolean; readonly bad: boolean }> {
    const before = this.standing.digest
    const held = new Set(this.#held().map(({ id }) => id))
    const fresh: SignedStatement[] = []
    let bad = false
    for (const bytes of encoded) {
      const each = decodeStatement(bytes)
      if (each === null) {
        bad = true
        break
      }
      if (!held.has(each.id)) fresh.push(each)
    }
    const isFresh = new Set(fresh)
    const wanted = [...this.#read(fresh).kept, ...fresh.filter(({ statement }) => statement.issuer === this.#self)]
    const signed: SignedStatement[] = []
    for (const each of new Set(wanted)) {
      if (!isFresh.has(each)) continue
      if (await isSignedByIssuer(each, this.#scope, this.#checker)) signed.push(each)
      else {
        bad = true
        break
      }
    }
    for (const each of signed) {
      if (each.statement.issuer === this.#self && this.#own.size < OWN_STATEMENTS_MAX) this.#own.set(each.id, each)
    }
    // Another merge may have finished while signatures were checked.
    this.#reading = this.#read(signed)
    return { changed: this.standing.digest !== before, bad }
  }

  /** Encoded set, which the receiver must merge as a whole. */
  encoded(): Uint8Array[] {
    return this.#reading.kept.map(({ bytes }) => bytes)
  }

  /** Encoded for the local copy: own statements that are not valid now follow the others. */
  stored(): Uint8Array[] {
    return this.#held().map(({ bytes }) => bytes)
  }

  #held(): SignedStatement[] {
    return [...new Map([...this.#reading.kept, ...this.#own.values()].map((each) => [each.id, each])).values()]
  }

  #read(more: readonly SignedStatement[]): Reading {
    const all = [...this.#held(), ...more].map((each) => [each.id, each] as const)
    return readStatements(this.#ground, [...new Map(all).values()])
  }
}

export function encodeStatements(statements: readonly Uint8Array[]): Uint8Array {
  return statementListCoder.encode([...statements])
}

/** Returns null for a malformed list. */
export function decodeStatements(bytes: Uint8Array): Uint8Array[] | null {
  return decodeOrNull(statementListCoder, bytes)
}
