/**
 * Selection of one host's statements that are kept. For a given office the result is a join. It depends on the
 * statements alone, and the selection from two selections equals the selection from both sets together. So every bound
 * here follows from a statement's place in its chain, never from the order of arrival.
 */
import { NO_STATEMENT, type SignedStatement, type StatementId } from "./statement.ts"

/** Quota of the creator, which no other host can use up. One statement at most exceeds its bytes. */
export const CREATOR_STATEMENTS_MAX = 512
export const CREATOR_BYTES_MAX = 256 * 1024
/** Quota of any other host for all its offices together. All members drop the excess. */
export const HOST_STATEMENTS_MAX = 128
export const HOST_BYTES_MAX = 64 * 1024

/**
 * `id`: the role statement that gave the office; null after its end. `after`: the host's last valid statement before
 * it.
 */
export type Office = { readonly id: StatementId | null; readonly after: StatementId }

export type Chain = {
  /** Valid statements in the order in which they apply. */
  readonly counting: readonly SignedStatement[]
  /** Two different statements of one office and number, or null. From their number on no statement is valid. */
  readonly contradiction: readonly [SignedStatement, SignedStatement] | null
}

const NOTHING: Chain = { counting: [], contradiction: null }

/** Returns the valid statements of a host that can be convicted. `own`: all statements of that host. */
export function chainOf(own: readonly SignedStatement[], office: Office): Chain {
  const counting = pastOf(own, office.after)
  if (!counting) return NOTHING
  /** Bytes of all valid statements, and of those without the last one. */
  let bytes = bytesOf(counting)
  let bytesBefore = 0
  let last: SignedStatement | null = null
  for (const signed of inOffice(own, office)) {
    const { number, previous } = signed.statement
    const size = signed.bytes.length
    if (last && number === last.statement.number && previous === last.statement.previous) {
      // Takes the two with the lowest ids of one number, so that all members that know all of them take the same two.
      if (bytesBefore + size <= HOST_BYTES_MAX)
        return { counting: counting.slice(0, -1), contradiction: [last, signed] }
    } else if (number === (last?.statement.number ?? 0) + 1 && previous === (last?.id ?? office.after)) {
      if (counting.length >= HOST_STATEMENTS_MAX || bytes + size > HOST_BYTES_MAX) continue
      counting.push(signed)
      bytesBefore = bytes
      bytes += size
      last = signed
    }
  }
  return { counting, contradiction: null }
}

/**
 * Returns the valid statements of the creator, whose office nobody can take away: all branches, lower numbers first. So
 * a creator with two devices loses no statement. At the quota higher numbers are dropped.
 */
export function creatorsTree(own: readonly SignedStatement[]): Chain {
  const office = { id: NO_STATEMENT, after: NO_STATEMENT }
  const numbers = new Map<StatementId, number>([[NO_STATEMENT, 0]])
  const counting: SignedStatement[] = []
  let bytes = 0
  for (const signed of inOffice(own, office)) {
    const { number, previous } = signed.statement
    if (numbers.get(previous) !== number - 1) continue
    counting.push(signed)
    numbers.set(signed.id, number)
    bytes += signed.bytes.length
    // Keeps the statement that exceeds the bytes. Without it, a member that knows later ones would keep those instead.
    if (counting.length === CREATOR_STATEMENTS_MAX || bytes > CREATOR_BYTES_MAX) break
  }
  const twice = counting.findIndex(({ statement }, at) => statement.number === counting[at - 1]?.statement.number)
  return { counting, contradiction: twice < 0 ? null : [counting[twice - 1]!, counting[twice]!] }
}

/** Returns the chain up to and including `last`; null unless all of it is known and within the quota. */
function pastOf(own: readonly SignedStatement[], last: StatementId): SignedStatement[] | null {
  const byId = new Map(own.map((signed) => [signed.id, signed]))
  const past: SignedStatement[] = []
  for (let at = last; at !== NO_STATEMENT;) {
    const signed = byId.get(at)
    if (!signed || past.length >= HOST_STATEMENTS_MAX) return null
    past.push(signed)
    at = signed.statement.previous
  }
  return bytesOf(past) > HOST_BYTES_MAX ? null : past.toReversed()
}

function inOffice(own: readonly SignedStatement[], { id }: Office): SignedStatement[] {
  return own
    .filter(({ statement }) => statement.office === id)
    .sort((a, b) => a.statement.number - b.statement.number || (a.id < b.id ? -1 : 1))
}

function bytesOf(statements: readonly SignedStatement[]): number {
  return statements.reduce((sum, { bytes }) => sum + bytes.length, 0)
}
