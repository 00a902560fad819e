/** Members that should be linked with this one and have no path to it, neither a direct one nor the server's relay. */
import type { MemberId, Mesh } from "@keymoot/transport"

/**
 * Delay before a linked member without a path is sought over others. It is shorter than the grace time of the link, so
 * the group does not notice.
 */
const LOST_AFTER_MS = 400
/** The same for a member that was never linked. Behind a slow network a link takes about a second. */
const UNMET_AFTER_MS = 1_200
/** A member that nobody has brought nearer by then is not sought any more. A neighbour may have invented it. */
const SOUGHT_MS = 60_000

export class MissingPaths {
  readonly #mesh: Pick<Mesh, "hasPath">
  readonly #linked: { has(member: MemberId): boolean }
  readonly #sinceMs = new Map<MemberId, number>()
  #nowMs = 0

  constructor(mesh: Pick<Mesh, "hasPath">, linked: { has(member: MemberId): boolean }) {
    this.#mesh = mesh
    this.#linked = linked
  }

  /** Whether every member has a path. */
  get isEmpty(): boolean {
    return this.#sinceMs.size === 0
  }

  /** `members`: all that should have a path to this one. */
  tick(members: ReadonlySet<MemberId>, nowMs: number): void {
    this.#nowMs = nowMs
    for (const member of this.#sinceMs.keys()) if (!members.has(member)) this.#sinceMs.delete(member)
    for (const member of members) {
      if (this.#mesh.hasPath(member)) this.#sinceMs.delete(member)
      else if (!this.#sinceMs.has(member)) this.#sinceMs.set(member, nowMs)
    }
  }

  /** It has a path again, before the next tick. */
  found(member: MemberId): void {
    this.#sinceMs.delete(member)
  }

  has(member: MemberId): boolean {
    return this.#sinceMs.has(member)
  }

  /** Whether it is time to use a route over other members. */
  isDue(member: MemberId): boolean {
    return this.#forMs(member) >= (this.#linked.has(member) ? LOST_AFTER_MS : UNMET_AFTER_MS)
  }

  /** Whether a route over other members is worth its cost, though there is none yet. */
  isSought(member: MemberId): boolean {
    return this.isDue(member) && this.#forMs(member) < SOUGHT_MS
  }

  #forMs(member: MemberId): number {
    return this.#nowMs - (this.#sinceMs.get(member) ?? Infinity)
  }
}
