import type { KeyStructure as Structure, KeyTreeNode as Node } from "@keymoot/gke"
import type { MemberId, View } from "@keymoot/transport"
import { bytesToHex } from "@noble/hashes/utils.js"
import {
  KeymootError,
  type ConferenceView,
  type KeyStructure,
  type KeyTreeNode,
  type Member,
  type ViewChange,
  type ViewStatus,
} from "../api/index.ts"
import type { EntryRules } from "../admission/entry-rules.ts"
import type { MemberCredential } from "../identity/certificates/credential-checker.ts"
import { namesakes } from "../identity/name-skeleton.ts"
import type { VerifiedPeople } from "../identity/verified-people.ts"
import type { KnownCredentials } from "../frames/frame-opener.ts"
import { equalBytes } from "../wire/index.ts"

/** The view as the application sees it, and its changes since the last secured view. */
export class Roster {
  readonly #self: MemberId
  readonly #known: KnownCredentials
  readonly #people: VerifiedPeople
  readonly #departed: Set<MemberId>
  readonly #rules: Pick<EntryRules, "rights" | "isRemoved">
  #view: ConferenceView
  #lastSecured: readonly Member[] | null = null
  #impostors: ReadonlySet<MemberId> = new Set()
  #warnedOf: ReadonlySet<MemberId> = new Set()

  /** `departed`: members that said goodbye. `change` keeps only those of the view in the set. */
  constructor(
    self: MemberId,
    known: KnownCredentials,
    people: VerifiedPeople,
    departed: Set<MemberId>,
    rules: Pick<EntryRules, "rights" | "isRemoved">,
  ) {
    this.#rules = rules
    this.#departed = departed
    this.#self = self
    this.#known = known
    this.#people = people
    this.#view = { id: "", epoch: 0, status: "joining", members: [this.member(self)], namesakes: [], securedAtMs: null }
  }

  get view(): ConferenceView {
    return this.#view
  }

  /** @throws KeymootError `invalid-argument` for oneself, also on another device, or an unknown member */
  otherThanSelf(member: MemberId): MemberCredential {
    const other = this.#known.get(member)
    if (!other || member === this.#self)
      throw new KeymootError("invalid-argument", "Give another member of this conference.")
    const own = this.#known.get(this.#self)
    if (own && equalBytes(own.publicKey, other.publicKey))
      throw new KeymootError("invalid-argument", "This is your own other device. Give another person.")
    return other
  }

  /** All members of the view, this one included. */
  get present(): MemberCredential[] {
    return this.#view.members.flatMap(({ id }) => this.#known.get(id) ?? [])
  }

  member(id: MemberId): Member {
    const credential = this.#known.get(id)
    const self = id === this.#self
    const changedKey = this.#impostors.has(id)
    const verified = !self && !changedKey && credential !== undefined && this.#people.isVerified(credential.publicKey)
    return {
      id,
      name: credential?.name ?? "",
      publicKey: credential ? bytesToHex(credential.publicKey) : null,
      self,
      verified,
      changedKey,
      ...this.#rules.rights(id),
    }
  }

  advance({ id, epoch, members }: View, status: ViewStatus, nowMs: number): ConferenceView {
    const securedAtMs = status === "secured" ? nowMs : null
    const ids = members.map((member) => member.id)
    // The skeletons of many names take milliseconds.
    const isSame = id === this.#view.id
    const shared = isSame ? this.#view.namesakes : namesakes(ids.flatMap((member) => this.#known.get(member) ?? []))
    this.#view = { id, epoch, status, members: this.#present(ids), namesakes: shared, securedAtMs }
    return this.#view
  }

  /** Returns the same view after a verification or a role has changed. */
  renew(): ConferenceView {
    this.#view = { ...this.#view, members: this.#present(this.#view.members.map(({ id }) => id)) }
    return this.#view
  }

  /** Members with a verified person's name but another key. Each is returned once for as long as it is present. */
  newImpostors(): readonly Member[] {
    const before = this.#warnedOf
    this.#warnedOf = this.#impostors
    return this.#view.members.filter(({ id }) => this.#impostors.has(id) && !before.has(id))
  }

  /** Returns the changes since the last call. Call it once for each secured view. */
  change(): ViewChange {
    const before = this.#lastSecured
    const now = this.#view.members
    this.#lastSecured = now
    if (!before) return { joined: now, left: [], lost: [], removed: [], cause: "created" }
    const joined = without(now, before)
    const left = without(before, now)
    const removed = left.filter(({ id }) => this.#rules.isRemoved(id))
    const lost = left.filter((member) => !this.#departed.has(member.id) && !removed.includes(member))
    const staying = without(now, joined)
    for (const id of this.#departed) if (!staying.some((member) => member.id === id)) this.#departed.delete(id)
    return { joined, left, lost, removed, cause: causeOf(joined.length, left.length) }
  }

  #present(ids: readonly MemberId[]): Member[] {
    const others = ids.flatMap((id) => (id === this.#self ? [] : (this.#known.get(id) ?? [])))
    this.#impostors = this.#people.impostors(others.map((other) => ({ ...other, id: other.member })))
    return ids.map((id) => this.member(id))
  }
}

function without(members: readonly Member[], others: readonly Member[]): Member[] {
  return members.filter((member) => !others.some(({ id }) => id === member.id))
}

function causeOf(joined: number, left: number): ViewChange["cause"] {
  if (joined > 0 && left > 0) return "changed"
  if (joined > 0) return "joined"
  return left > 0 ? "left" : "refreshed"
}

/** Returns the structure of the key with people instead of ids. */
export function presentStructure(structure: Structure, memberOf: (id: MemberId) => Member): KeyStructure {
  if (structure.kind === "tree") return { kind: "tree", root: presentNode(structure.root, memberOf) }
  const seats = structure.seats.map(({ member, isNew }) => ({ member: memberOf(member), isNew }))
  return { kind: structure.kind, seats }
}

function presentNode(node: Node, memberOf: (id: MemberId) => Member): KeyTreeNode {
  if (node.kind === "leaf") return { ...node, member: memberOf(node.member) }
  return { ...node, left: presentNode(node.left, memberOf), right: presentNode(node.right, memberOf) }
}
