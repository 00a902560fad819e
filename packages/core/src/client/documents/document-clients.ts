import type { MemberId } from "@keymoot/transport"
import { documentClient, type DocumentPeer, type DocumentScope } from "../../documents/client-id.ts"

/** Yjs client ids of the members of the present view. */
export class DocumentClients {
  readonly own: number
  readonly #scope: DocumentScope
  readonly #self: MemberId
  #peers: readonly (DocumentPeer & { readonly client: number })[] = []
  #byMember: ReadonlyMap<MemberId, number> = new Map()
  #byClient: ReadonlyMap<number, MemberId>
  #writes = false

  constructor(scope: DocumentScope, self: Pick<DocumentPeer, "id" | "incarnation">) {
    this.#scope = scope
    this.#self = self.id
    this.own = documentClient(scope, self)
    this.#byClient = new Map([[this.own, self.id]])
  }

  onView(peers: readonly DocumentPeer[]): void {
    this.#peers = peers
      .filter(({ id }) => id !== this.#self)
      .map((peer) => ({ ...peer, client: documentClient(this.#scope, peer) }))
    this.#byMember = new Map(this.#peers.map(({ id, client }) => [id, client]))
    this.#byClient = new Map([[this.own, this.#self], ...this.#peers.map(({ id, client }) => [client, id] as const)])
    this.#writes = peers.some(({ id, writes }) => id === this.#self && writes)
  }

  /** Whether other members accept this member's changes. */
  get writes(): boolean {
    return this.#writes
  }

  /** Returns the client id of another present member. */
  of(member: MemberId): number | undefined {
    return this.#byMember.get(member)
  }

  /** Returns the present member of a client id. */
  memberOf(client: number): MemberId | undefined {
    return this.#byClient.get(client)
  }

  /** Client ids of the other present members that may write. */
  get writers(): number[] {
    return this.#peers.filter(({ writes }) => writes).map(({ client }) => client)
  }

  /** Present members that may write, this one included, in the same order at all members. */
  get writerIds(): MemberId[] {
    const others = this.#peers.filter(({ writes }) => writes).map(({ id }) => id)
    return (this.#writes ? [...others, this.#self] : others).sort()
  }

  /**
   * Client ids under which no changes are accepted from this member: those of other present writers, and this member's
   * own.
   */
  exceptOf(member: MemberId): ReadonlySet<number> {
    const others = this.#peers.filter(({ id, writes }) => writes && id !== member)
    return new Set([this.own, ...others.map(({ client }) => client)])
  }
}
