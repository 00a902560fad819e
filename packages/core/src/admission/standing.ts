/**
 * What all statements together say. It depends on the set alone, never on the order in which they were heard, so members
 * that hold the same statements hold the same opinion, whatever partitions they came through.
 *
 * Hosts rank: first the conference's creator, then those whom it made hosts in the order of its statements, then those whom
 * these made hosts, and so on. They are gone through in this order, each with its statements in theirs:
 * - About a host of a higher or the same rank nothing that it says counts.
 * - Of two that give somebody a role, the higher's counts; of one host's own, its last.
 * - Who has been removed stays removed.
 * - Of a host that lost its office, what it had said counts as far as the one who took the office knew of it.
 */
import { NO_STATEMENT, removalsDigest, digestOf } from "./statement.ts"
import type { PersonKey, Role, SignedStatement, StatementBody, StatementId } from "./statement.ts"

type Ticket = StatementBody & { readonly type: "ticket" }
type Generation = StatementBody & { readonly type: "generation" }

export type Standing = {
  /** Of the statements that count: equal at two members exactly if they hold the same. 64 hex digits. */
  readonly digest: string
  /** Those in office, the higher first. */
  readonly hosts: readonly PersonKey[]
  readonly roles: ReadonlyMap<PersonKey, Role>
  readonly removed: ReadonlySet<PersonKey>
  /** The present invitation's; null for the one of the descriptor. */
  readonly generation: { readonly id: StatementId; readonly said: Generation } | null
  /** Somebody was removed of whom the maker of the present invitation did not know: its secret alone lets nobody in. */
  readonly closed: boolean
  /** Of the present generation, by the certificate's fingerprint. */
  readonly tickets: ReadonlyMap<string, Ticket>
  /** Everybody whom any generation let stay. */
  readonly stayed: ReadonlySet<PersonKey>
  /** Those whose statements are kept: in office, or once put into it by a statement that counts. */
  readonly everHosts: ReadonlySet<PersonKey>
}

type Decision = { readonly role: Role; readonly rank: number }

/** One reading of a set: filled host by host. */
class Reading {
  readonly queue: PersonKey[]
  readonly roles = new Map<PersonKey, Decision>()
  readonly removed = new Set<PersonKey>()
  /** Of hosts that lost their office: their last statement that counts. */
  readonly cuts = new Map<PersonKey, StatementId>()
  readonly counting: SignedStatement[] = []

  constructor(creator: PersonKey) {
    this.queue = [creator]
  }

  take(signed: SignedStatement, rank: number): void {
    this.counting.push(signed)
    const { body, heard } = signed.statement
    if (body.type !== "role" && body.type !== "removal") return
    const { subject } = body
    const standsAt = this.queue.indexOf(subject)
    if (standsAt >= 0 && standsAt <= rank) return
    if (body.type === "removal") {
      if (!this.removed.has(subject)) this.cuts.set(subject, heard)
      this.removed.add(subject)
      return
    }
    const decided = this.roles.get(subject)
    if (this.removed.has(subject) || (decided && decided.rank < rank)) return
    this.roles.set(subject, { role: body.role, rank })
    if (body.role !== "host") this.cuts.set(subject, heard)
    else {
      this.cuts.delete(subject)
      if (standsAt < 0) this.queue.push(subject)
    }
  }
}

/** What counts for nothing says nothing: the standing before the first statement. `creator`: the descriptor's first host. */
export function standingOf(creator: PersonKey, statements: readonly SignedStatement[]): Standing {
  const reading = new Reading(creator)
  for (let rank = 0; rank < reading.queue.length; rank++) {
    const host = reading.queue[rank]!
    for (const signed of chainOf(host, statements, reading.cuts.get(host))) reading.take(signed, rank)
  }
  const { queue, removed, counting } = reading
  const isHost = (key: PersonKey): boolean => key === creator || reading.roles.get(key)?.role === "host"
  const hosts = queue.filter((key) => isHost(key) && !removed.has(key))
  const generation = presentGeneration(counting, queue)
  const id = generation?.id ?? NO_STATEMENT
  return {
    digest: digestOf(
      "keymoot v1 statements",
      counting.map((signed) => signed.id),
    ),
    hosts,
    roles: new Map([...reading.roles].map(([key, { role }]) => [key, role])),
    removed,
    generation,
    closed: generation ? generation.said.removals !== removalsDigest(removed) : removed.size > 0,
    tickets: new Map(counting.flatMap(({ statement: { body } }) => ticketOf(body, id))),
    stayed: new Set(counting.flatMap(({ statement: { body } }) => (body.type === "generation" ? body.staying : []))),
    everHosts: new Set(queue),
  }
}

/** A host's statements in their order, as far as the chain of predecessors is whole and, with a cut, up to that. */
function chainOf(
  host: PersonKey,
  statements: readonly SignedStatement[],
  cut: StatementId | undefined,
): SignedStatement[] {
  const own = statements
    .filter(({ statement }) => statement.issuer === host)
    .sort((a, b) => a.statement.number - b.statement.number || (a.id < b.id ? -1 : 1))
  const whole = new Map<StatementId, SignedStatement>()
  for (const signed of own) {
    const { number, previous } = signed.statement
    if (number === 1 || whole.get(previous)?.statement.number === number - 1) whole.set(signed.id, signed)
  }
  if (cut === undefined) return [...whole.values()]
  const before: SignedStatement[] = []
  for (let at = whole.get(cut); at; at = whole.get(at.statement.previous)) before.unshift(at)
  return before
}

/**
 * The highest number; of one number the higher host's. No number is higher than there are generations to count (the
 * descriptor's is 1), so a host cannot take one that nobody could follow.
 */
function presentGeneration(counting: readonly SignedStatement[], queue: readonly PersonKey[]): Standing["generation"] {
  const all = counting.flatMap(({ id, statement: { body: said, issuer } }) =>
    said.type === "generation" ? [{ id, said, rank: queue.indexOf(issuer) }] : [],
  )
  const [present] = all
    .filter(({ said }) => said.generation <= all.length + 1)
    .sort((a, b) => b.said.generation - a.said.generation || a.rank - b.rank || (a.id < b.id ? -1 : 1))
  return present ? { id: present.id, said: present.said } : null
}

function ticketOf(body: StatementBody, generation: StatementId): [string, Ticket][] {
  return body.type === "ticket" && body.generation === generation ? [[body.fingerprint, body]] : []
}

/** `fingerprint`: of the certificate under which the person is here. Whoever is given no role may do what an editor may. */
export function roleOf(standing: Standing, key: PersonKey, fingerprint: string): Role {
  if (standing.hosts.includes(key)) return "host"
  return standing.roles.get(key) ?? standing.tickets.get(fingerprint)?.role ?? "editor"
}
