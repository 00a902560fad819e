/**
 * Decides between a full mesh and an overlay with few links, and which links are wanted. The mode follows this member's
 * own count of members. A newcomer may follow the claims of others.
 */
import { FULL_MESH_MAX, Overlay, type CarriedFrame, type MemberId, type MemberInstance } from "@keymoot/transport"
import { LruMap } from "../wire/index.ts"
import type { CheckedRecord } from "./link-records.ts"

/**
 * Time for which a member that forwarded an obvious forgery is no neighbour, and the number of such members remembered.
 */
const DISTRUST_MS = 60_000
const DISTRUSTED_MAX = 64
/**
 * Lifetime of another member's claim of a large conference. A newcomer follows the others before it has met as many
 * itself. It needs a minimum of claims, and those of half of the members that it knows, so a single false claim has no
 * effect.
 */
const CLAIM_MS = 60_000
const CLAIMS_MIN = 2
/** Members whose claims are kept. Beyond it the oldest claim is evicted. */
const CLAIMANTS_MAX = 512
/** Returns to a full mesh after counting at most this fraction of its limit for this long. */
const MESH_AGAIN_PART = 3 / 4
const MESH_AGAIN_MS = 60_000
/**
 * Returns from helping once every member has had a link with every other one for this long. Others do so within a
 * second, and their messages over the overlay have no effect for the second time.
 */
const HELPED_MS = 10_000
const HELPED_APART_MS = 5_000

/** - mesh: a link with every member.
 * - helping: also forwards for members that miss a link, or are in the overlay already.
 * - overlay: a link with few members, over which the others are reached. */
export type TopologyMode = "mesh" | "helping" | "overlay"

export class Topology {
  readonly #self: MemberInstance
  readonly #random: () => number
  readonly #meshMax: number
  #overlay: Overlay<CarriedFrame, CheckedRecord>
  #mode: TopologyMode = "mesh"
  /** Time since when a full mesh would be possible. */
  #fewSinceMs: number | null = null
  /** Time since when nobody needs help. */
  #helpedSinceMs: number | null = null
  #helpsAgainMs = -Infinity
  #startedMs: number | null = null
  #nowMs = 0
  /** Time of each admitted member's last claim that there are many. */
  readonly #claimedAtMs = new LruMap<MemberId, number>(CLAIMANTS_MAX)
  readonly #distrustedUntilMs = new LruMap<MemberId, number>(DISTRUSTED_MAX)

  /** `random`: uniform in [0, 1). `meshMax`: largest conference with a full mesh. */
  constructor(self: MemberInstance, random: () => number, meshMax = FULL_MESH_MAX) {
    this.#self = self
    this.#random = random
    this.#meshMax = meshMax
    this.#overlay = new Overlay(self, random, meshMax)
  }

  /** It begins anew with each return to a full mesh, because the records in it would be out of date later. */
  get overlay(): Overlay<CarriedFrame, CheckedRecord> {
    return this.#overlay
  }

  get mode(): TopologyMode {
    return this.#mode
  }

  /** Whether there are too many members for a full mesh. */
  get isWide(): boolean {
    return this.#mode === "overlay"
  }

  /** Whether a link with this member is wanted. */
  wants(member: MemberId): boolean {
    return !this.isWide || (this.overlay.wants(member) && !this.isDistrusted(member))
  }

  distrust(member: MemberId): void {
    this.#distrustedUntilMs.set(member, this.#nowMs + DISTRUST_MS)
  }

  isDistrusted(member: MemberId): boolean {
    return (this.#distrustedUntilMs.get(member) ?? -Infinity) > this.#nowMs
  }

  /** `members`: this member's own count. `needsHelp`: it has no path to one of them. */
  tick(nowMs: number, members: number, needsHelp: boolean): void {
    this.#nowMs = nowMs
    this.#startedMs ??= nowMs
    if (members > this.#meshMax) this.#mode = "overlay"
    if (!this.isWide || members > this.#meshMax * MESH_AGAIN_PART) this.#fewSinceMs = null
    else this.#fewSinceMs ??= nowMs
    // Others may still be in the overlay, so this member goes on forwarding.
    if (this.#fewSinceMs !== null && nowMs - this.#fewSinceMs >= MESH_AGAIN_MS) this.#mode = "helping"
    if (needsHelp && this.#mode === "mesh") this.#mode = "helping"
    if (this.#mode === "helping") this.#considerMesh(needsHelp)
  }

  /** All members have the same records, so they come to the same result at about the same time. */
  #considerMesh(needsHelp: boolean): void {
    if (needsHelp || !this.#overlay.isComplete) this.#helpedSinceMs = null
    else this.#helpedSinceMs ??= this.#nowMs
    if (this.#helpedSinceMs === null || this.#nowMs - this.#helpedSinceMs < HELPED_MS) return
    this.#helpedSinceMs = null
    this.#helpsAgainMs = this.#nowMs + HELPED_APART_MS
    this.#mode = "mesh"
    this.#overlay = new Overlay(this.#self, this.#random, this.#meshMax, undefined, this.#overlay.sequence)
  }

  /** A neighbour uses the overlay. Helping keeps all links, so one neighbour's message is enough. */
  help(): void {
    if (this.#mode === "mesh" && this.#nowMs >= this.#helpsAgainMs) this.#mode = "helping"
  }

  /**
   * Takes a member's claim that there are many. It changes the mode once enough others claim it.
   * @param known number of members that this one knows.
   */
  claim(claimant: MemberId, known: number): void {
    if (this.isWide) return
    this.#claimedAtMs.set(claimant, this.#nowMs)
    const others = this.#claimedAtMs.entries().filter(([, atMs]) => this.#nowMs - atMs <= CLAIM_MS).length
    if (others < Math.max(CLAIMS_MIN, known / 2)) return
    // Only a newcomer may not have met as many members yet.
    const isNewcomer = this.#nowMs - (this.#startedMs ?? this.#nowMs) < CLAIM_MS
    this.#mode = isNewcomer ? "overlay" : "helping"
  }
}
