/**
 * The transition relation of `tools/models/alloy/statements.als` over recorded merges: a member that keeps some statements
 * receives others, and keeps a set and a digest then. There is one creator, and one host in one office. The model has no
 * quotas.
 */
import { NO_STATEMENT, type SignedStatement, type StatementId } from "../../../src/admission/statements/statement.ts"

/** A member takes in what it received, and keeps this. */
export type Merge = {
  readonly member: string
  readonly received: readonly SignedStatement[]
  readonly kept: readonly SignedStatement[]
  readonly digest: string
}

export class StatementModel {
  readonly #creator: string
  readonly #statements = new Map<StatementId, SignedStatement>()
  readonly #kept = new Map<string, ReadonlySet<StatementId>>()
  /** Digests by what they stand for, and the other way round. */
  readonly #digests = new Map<string, string>()
  readonly #meanings = new Map<string, string>()

  constructor(creator: string) {
    this.#creator = creator
  }

  /** Takes the step, or returns why the model has none like it. */
  step({ member, received, kept, digest }: Merge): string | null {
    for (const signed of received) this.#statements.set(signed.id, signed)
    const known = new Set([...(this.#kept.get(member) ?? []), ...received.map(({ id }) => id)])
    for (const id of known) {
      const missing = this.#reasons(id).find((reason) => !known.has(reason))
      if (missing) return `${member} received ${id} without ${missing}`
    }
    const expected = this.#keptOf(known)
    const actual = new Set(kept.map(({ id }) => id))
    if (actual.size !== expected.size || [...actual].some((id) => !expected.has(id)))
      return `${member} keeps ${actual.size} statements instead of ${expected.size}, or others`
    this.#kept.set(member, actual)
    const meaning = this.#meaning(actual)
    if (getOrSet(this.#digests, meaning, digest) !== digest) return `${member} has another digest of the same`
    if (getOrSet(this.#meanings, digest, meaning) !== meaning) return `${member} has the same digest of something else`
    return null
  }

  #isCreators = (id: StatementId): boolean => this.#statements.get(id)!.statement.issuer === this.#creator

  #previous(id: StatementId): StatementId | null {
    const { previous } = this.#statements.get(id)!.statement
    return previous === NO_STATEMENT ? null : previous
  }

  /** `previous + last` of the model. */
  #reasons(id: StatementId): StatementId[] {
    return [this.#previous(id), this.#last(id)].filter((reason) => reason !== null)
  }

  /** The last statement of the host that the creator's removal names. */
  #last(id: StatementId): StatementId | null {
    const { heard } = this.#statements.get(id)!.statement
    return this.#isRemoval(id) && heard !== NO_STATEMENT ? heard : null
  }

  #isRemoval(id: StatementId): boolean {
    return this.#isCreators(id) && this.#statements.get(id)!.statement.body.type === "removal"
  }

  /** `*previous` of the model: the statement and all in front of it. */
  #chain(id: StatementId | null): StatementId[] {
    return id === null ? [] : [id, ...this.#chain(this.#previous(id))]
  }

  #siblings(known: ReadonlySet<StatementId>, id: StatementId): StatementId[] {
    const previous = this.#previous(id)
    return [...known].filter((other) => !this.#isCreators(other) && this.#previous(other) === previous)
  }

  #unopposed(known: ReadonlySet<StatementId>): Set<StatementId> {
    const hosts = [...known].filter((id) => !this.#isCreators(id))
    return new Set(hosts.filter((id) => this.#chain(id).every((each) => this.#siblings(known, each).length === 1)))
  }

  #pair(known: ReadonlySet<StatementId>): StatementId[] {
    const unopposed = this.#unopposed(known)
    return [...known].filter((id) => {
      const siblings = this.#isCreators(id) ? [] : this.#siblings(known, id)
      const [, ...before] = this.#chain(id)
      const isSecond = siblings.filter((other) => other < id).length <= 1
      return siblings.length > 1 && before.every((each) => unopposed.has(each)) && isSecond
    })
  }

  #removal(known: ReadonlySet<StatementId>): StatementId | null {
    const removals = [...known].filter((id) => this.#isRemoval(id))
    const number = (id: StatementId): number => this.#chain(id).length
    return removals.toSorted((a, b) => number(a) - number(b) || (a < b ? -1 : 1))[0] ?? null
  }

  #counting(known: ReadonlySet<StatementId>): Set<StatementId> {
    const removal = this.#removal(known)
    return removal ? new Set(this.#chain(this.#last(removal))) : this.#unopposed(known)
  }

  #keptOf(known: ReadonlySet<StatementId>): Set<StatementId> {
    const creators = [...known].filter(this.#isCreators)
    const pair = this.#removal(known) ? [] : this.#pair(known)
    return new Set([...creators, ...this.#counting(known), ...pair])
  }

  /** The value that `sameDigest` of the model compares. */
  #meaning(kept: ReadonlySet<StatementId>): string {
    const pair = this.#pair(kept)
    const counting = [...kept].filter((id) => this.#isCreators(id) || this.#counting(kept).has(id)).toSorted()
    return JSON.stringify([counting, pair.length > 0 ? [this.#previous(pair[0]!)] : []])
  }
}

function getOrSet(map: Map<string, string>, key: string, value: string): string {
  const held = map.get(key) ?? value
  map.set(key, held)
  return held
}

/** Null, or the first merge that the model refuses. */
export function refusedBy(
  creator: string,
  merges: readonly Merge[],
): { readonly at: number; readonly reason: string } | null {
  const model = new StatementModel(creator)
  for (const [at, merge] of merges.entries()) {
    const reason = model.step(merge)
    if (reason) return { at, reason }
  }
  return null
}
