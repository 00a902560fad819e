/**
 * Evaluation of all statements together. It depends on the set alone, never on the order of arrival. So members with
 * the same statements get the same result, through any partitions.
 *
 * Hosts have ranks. The creator is first. The hosts that it appointed follow in the order of its statements, then those
 * that these appointed, and so on. The evaluation takes hosts by rank, and each host's statements in order:
 * - A statement about a host of a higher or the same rank is void.
 * - If two hosts give a person a role, the higher one's statement applies; of one host's own, its last. The same holds
 *   for tickets. A role statement takes precedence over a ticket's role.
 * - A removal is final.
 * - The higher host's end of the conference applies; of one host's own, its last. An end outside the descriptor's bounds
 *   is void.
 * - After a host has lost its office, those of its statements stay valid that the host that took the office knew.
 * - A host with two different statements of one number has lost its office. Its statements before them stay valid.
 *
 * The same evaluation decides which statements are kept. The selection of a host's statements follows from its own and
 * those of higher ranks. So members that exchange their selections converge to one set, rank by rank.
 */
import { type Chain, chainOf, creatorsTree, type Office } from "./chains.ts"
import type { Member } from "../../api/index.ts"
import {
  digestOf,
  NO_STATEMENT,
  removalsDigest,
  type GuestRole,
  type PersonKey,
  type Role,
  type SignedStatement,
  type StatementBody,
  type StatementId,
} from "./statement.ts"

/**
 * Hosts beside the creator whose statements are kept, in office or with valid past statements. Lower ranks beyond it
 * are no hosts.
 */
export const HOSTS_MAX = 8

/** Settings of the descriptor. `unnamed`: the role of people that no statement names. */
export type Ground = {
  readonly creator: PersonKey
  readonly unnamed: GuestRole
  /** Planned end, and the bounds of every other end. */
  readonly times: { readonly startsAtMs: number; readonly endsAtMs: number; readonly expiresAtMs: number }
}

type Ticket = StatementBody & { readonly type: "ticket" }
type Generation = StatementBody & { readonly type: "generation" }

export type Standing = {
  /**
   * Digest of the valid statements and of convicted hosts with their numbers, 64 hex digits. Equal digests mean equal
   * standings.
   */
  readonly digest: string
  /** Hosts in office, higher ranks first. */
  readonly hosts: readonly PersonKey[]
  /** Offices of the hosts in office. */
  readonly offices: ReadonlyMap<PersonKey, Office>
  /** Last valid statement of each present or former host. */
  readonly heads: ReadonlyMap<PersonKey, StatementId>
  /** Roles of people that statements name. `roleOf` also covers the others. */
  readonly roles: ReadonlyMap<PersonKey, Role>
  /** Host whose role statement applies, by person. */
  readonly roleIssuers: ReadonlyMap<PersonKey, PersonKey>
  readonly unnamed: GuestRole
  /** End of the conference. `by`: the host whose statement applies; null for the planned end. */
  readonly end: { readonly atMs: number; readonly by: PersonKey | null }
  /** Every end that the creator has set, also those that it has replaced. */
  readonly creatorsEnds: ReadonlySet<number>
  readonly removed: ReadonlySet<PersonKey>
  /** Hosts with two different statements of one number. The creator stays in office nevertheless. */
  readonly contradicting: ReadonlySet<PersonKey>
  /** Generation of the present invitation; null for the descriptor's. */
  readonly generation: { readonly id: StatementId; readonly said: Generation } | null
  /** A removed person was unknown to the issuer of the present invitation, so its secret alone admits nobody. */
  readonly closed: boolean
  /** Tickets of the present generation. */
  readonly tickets: readonly Ticket[]
  /** People that any generation let stay. */
  readonly stayed: ReadonlySet<PersonKey>
  /** `bearerOf` of each ticket of any generation. */
  readonly everAdmitted: ReadonlySet<string>
  /** Hosts whose statements are kept: in office, or once appointed by a valid statement. Higher ranks first. */
  readonly everHosts: ReadonlySet<PersonKey>
}

export type Reading = {
  readonly standing: Standing
  /** Valid statements and the proofs against convicted hosts, each after those it builds on. */
  readonly kept: readonly SignedStatement[]
}

type End = { readonly atMs: number; readonly rank: number }
type Decision = { readonly role: Role; readonly rank: number }

/** State of one evaluation, filled host by host. */
class Reader {
  readonly queue: PersonKey[]
  readonly roles = new Map<PersonKey, Decision>()
  readonly ticketRoles = new Map<PersonKey, Decision>()
  readonly removed = new Set<PersonKey>()
  /** Offices of all appointed hosts. */
  readonly offices = new Map<PersonKey, Office>()
  readonly chains = new Map<PersonKey, Chain>()
  /**
   * Last statement that the remover of a person knew, by person without an office. A lower host's appointment may
   * follow.
   */
  readonly #lastHeard = new Map<PersonKey, StatementId>()
  readonly #times: Ground["times"]
  end: End | null = null
  readonly creatorsEnds = new Set<number>()

  constructor({ creator, times }: Ground) {
    this.#times = times
    this.queue = [creator]
    this.offices.set(creator, { id: NO_STATEMENT, after: NO_STATEMENT })
  }

  take({ id, statement: { body, heard } }: SignedStatement, rank: number): void {
    if (body.type === "generation") return
    if (body.type === "end") return this.#setEnd(body.endsAtMs, rank)
    const { subject } = body
    const standsAt = this.queue.indexOf(subject)
    if (standsAt >= 0 && standsAt <= rank) return
    if (body.type === "ticket") return decide(this.ticketRoles, subject, { role: body.role, rank })
    if (body.type === "removal") {
      this.removed.add(subject)
      return this.#end(subject, heard)
    }
    const appoints = body.role === "host"
    if (this.removed.has(subject) || isHigher(this.roles.get(subject), rank)) {
      if (appoints) this.#appointPast(subject)
      return
    }
    this.roles.set(subject, { role: body.role, rank })
    if (appoints) this.offices.set(subject, { id, after: heard })
    else this.#end(subject, heard)
  }

  #setEnd(atMs: number, rank: number): void {
    const { startsAtMs, expiresAtMs } = this.#times
    if (atMs < startsAtMs || atMs > expiresAtMs) return
    if (rank === 0) this.creatorsEnds.add(atMs)
    if (this.end === null || this.end.rank >= rank) this.end = { atMs, rank }
  }

  /** Ends a person's office, or the one that a lower host will give. */
  #end(subject: PersonKey, heard: StatementId): void {
    const office = this.offices.get(subject)
    if (office?.id) this.offices.set(subject, { id: null, after: heard })
    else if (!office && !this.#lastHeard.has(subject)) this.#lastHeard.set(subject, heard)
  }

  /**
   * An appointment that a higher host has already ended gives no office. It still gives a rank to the person's earlier
   * statements. Without it, a removal by the creator would invalidate the removed host's earlier statements.
   */
  #appointPast(subject: PersonKey): void {
    const after = this.#lastHeard.get(subject)
    if (after !== undefined && !this.offices.has(subject)) this.offices.set(subject, { id: null, after })
  }

  /** Queues hosts for which hosts of this rank and above have decided whether their statements are valid. */
  enqueue(): void {
    for (const [key, { id, after }] of this.offices) {
      const isHeard = id !== null || after !== NO_STATEMENT
      if (isHeard && !this.queue.includes(key) && this.queue.length <= HOSTS_MAX) this.queue.push(key)
    }
  }
}

/** Evaluates statements. Pass all known ones at once. Invalid ones have no effect. */
export function readStatements(ground: Ground, statements: readonly SignedStatement[]): Reading {
  const { creator, unnamed, times } = ground
  const reader = new Reader(ground)
  const { queue, removed, chains, offices } = reader
  for (let rank = 0; rank < queue.length; rank++) {
    const host = queue[rank]!
    const own = statements.filter(({ statement }) => statement.issuer === host)
    const chain = host === creator ? creatorsTree(own) : chainOf(own, offices.get(host)!)
    chains.set(host, chain)
    for (const signed of chain.counting) reader.take(signed, rank)
    reader.enqueue()
  }
  const counting = [...chains.values()].flatMap((chain) => chain.counting)
  const contradicting = new Set(queue.filter((key) => chains.get(key)!.contradiction))
  const isHost = (key: PersonKey): boolean => {
    return key === creator || (offices.get(key)!.id !== null && !contradicting.has(key))
  }
  const hosts = queue.filter(isHost)
  const generation = presentGeneration(counting, queue)
  const id = generation?.id ?? NO_STATEMENT
  const standing = {
    digest: digestOf("keymoot v1 statements", [
      ...counting.map((signed) => signed.id),
      ...queue.flatMap((key) => (key === creator ? [] : convictionOf(chains.get(key)!))),
    ]),
    hosts,
    offices: new Map(hosts.map((key) => [key, offices.get(key)!])),
    heads: new Map(queue.map((key) => [key, chains.get(key)!.counting.at(-1)?.id ?? offices.get(key)!.after])),
    roles: rolesOf(reader, hosts, contradicting),
    roleIssuers: new Map([...reader.roles].map(([key, { rank }]) => [key, queue[rank]!])),
    unnamed,
    end: reader.end ? { atMs: reader.end.atMs, by: queue[reader.end.rank]! } : { atMs: times.endsAtMs, by: null },
    creatorsEnds: reader.creatorsEnds,
    removed,
    contradicting,
    generation,
    closed: generation ? generation.said.removals !== removalsDigest(removed) : removed.size > 0,
    tickets: counting.flatMap(({ statement: { body } }) =>
      body.type === "ticket" && body.generation === id ? [body] : [],
    ),
    stayed: new Set(counting.flatMap(({ statement: { body } }) => (body.type === "generation" ? body.staying : []))),
    everAdmitted: new Set(
      counting.flatMap(({ statement: { body } }) => (body.type === "ticket" ? [bearerOf(body)] : [])),
    ),
    everHosts: new Set(queue),
  }
  // All branches of the creator are valid, so they include the proof against it.
  const kept = queue.flatMap((key) => {
    const { counting: own, contradiction } = chains.get(key)!
    return key === creator ? own : [...own, ...(contradiction ?? [])]
  })
  return { standing, kept }
}

/** The higher host's statement applies, and of one host's own the last. */
function decide(decisions: Map<PersonKey, Decision>, subject: PersonKey, decision: Decision): void {
  if (!isHigher(decisions.get(subject), decision.rank)) decisions.set(subject, decision)
}

function isHigher(decision: Decision | undefined, rank: number): boolean {
  return decision !== undefined && decision.rank < rank
}

function rolesOf(
  { roles, ticketRoles }: Reader,
  hosts: readonly PersonKey[],
  contradicting: ReadonlySet<PersonKey>,
): Map<PersonKey, Role> {
  const guests = [...ticketRoles, ...roles].filter(([, { role }]) => role !== "host")
  return new Map<PersonKey, Role>([
    ...guests.map(([key, { role }]) => [key, role] as const),
    ...[...contradicting].map((key) => [key, "viewer"] as const),
    ...hosts.map((key) => [key, "host"] as const),
  ])
}

/** Identifies a conviction by the position of the two statements, because any two of many may be known. */
function convictionOf({ contradiction }: Chain): readonly string[] {
  if (!contradiction) return []
  const { issuer, office, previous } = contradiction[0].statement
  return [digestOf("keymoot v1 conviction", [issuer, office, previous])]
}

/**
 * Returns the generation with the highest number; of equal numbers, the higher host's. A number may not exceed the
 * count of generations (the descriptor's is 1), so no host can take one that leaves no successor.
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

/** Identifies a ticket's bearer: a ticket admits a key under one certificate. */
export function bearerOf({ subject, fingerprint }: Pick<Ticket, "subject" | "fingerprint">): string {
  return `${subject} ${fingerprint}`
}

/** Returns a person's role. All permission checks use this function. */
export function roleOf({ roles, unnamed }: Standing, key: PersonKey): Role {
  return roles.get(key) ?? unnamed
}

/** Role and rank of a member, and the rights of this one over it. */
export type MemberRights = Pick<Member, "role" | "rank" | "mayRemove" | "maySetRole">
type Rights = Pick<Member, "mayRemove" | "maySetRole">
export const NO_RIGHTS: Rights = { mayRemove: false, maySetRole: false }

/** Whether a statement of `issuer` about the end would take effect. */
export function maySetEnd({ hosts, everHosts, end }: Standing, issuer: PersonKey): boolean {
  const ranks = [...everHosts]
  return hosts.includes(issuer) && (end.by === null || ranks.indexOf(issuer) <= ranks.indexOf(end.by))
}

/**
 * Returns which statements of `issuer` about `subject` would take effect. A statement about a present or former host of
 * the same or a higher rank is void. So is a role statement about a person to whom a host of a higher rank has given a
 * role.
 */
export function rightsOver(standing: Standing, issuer: PersonKey, subject: PersonKey): Rights {
  const { hosts, everHosts, roleIssuers, removed } = standing
  const ranks = [...everHosts]
  const rank = ranks.indexOf(issuer)
  const isAbove = (other: PersonKey): boolean => !everHosts.has(other) || rank < ranks.indexOf(other)
  if (!hosts.includes(issuer) || removed.has(subject) || !isAbove(subject)) return NO_RIGHTS
  const decider = roleIssuers.get(subject)
  return { mayRemove: true, maySetRole: decider === undefined || decider === issuer || isAbove(decider) }
}
