import type { Invitation } from "../conference/index.ts"
import type { IdentityStore, InvitationRecord } from "../identity/index.ts"
import { equalBytes } from "../wire/index.ts"

/** Epoch numbers reserved at a time: a life that ends without a word has used at most these, and the next skips them. */
const EPOCH_BLOCK = 8

/** What this device keeps of a conference besides its contents, so that a reload comes back as the same member in a new life. */
export class ConferenceRecord {
  readonly #store: IdentityStore
  /** Epochs up to this one may have been used by earlier lives. */
  readonly epochFloor: number
  #record: InvitationRecord
  #forgotten = false

  private constructor(store: IdentityStore, record: InvitationRecord, epochFloor: number) {
    this.#store = store
    this.#record = record
    this.epochFloor = epochFloor
  }

  /**
   * Reserves the next epochs before this life begins.
   * @param descriptor as the directory gave it @throws KeymootError `storage-unavailable`
   */
  static async open(store: IdentityStore, invitation: Invitation, descriptor: Uint8Array): Promise<ConferenceRecord> {
    const { conferenceId, server, descriptorHash, secret, roomKey } = invitation
    const stored = await store.loadInvitation(conferenceId)
    const former = stored && equalBytes(stored.descriptorHash, descriptorHash) ? stored : null
    const epochFloor = stored?.epochBlock ?? 0
    const others = former ? [former.secret, ...(former.otherSecrets ?? [])] : []
    const otherSecrets = others.filter((other) => !equalBytes(other, secret))
    const key = roomKey ?? former?.roomKey
    const record = new ConferenceRecord(
      store,
      {
        conferenceId,
        server,
        descriptorHash,
        secret,
        otherSecrets,
        epochBlock: epochFloor + EPOCH_BLOCK,
        descriptor,
        incarnation: Math.max(Date.now(), (stored?.incarnation ?? 0) + 1),
        ...(key && { roomKey: key }),
        ...(former?.statements && { statements: former.statements }),
      },
      epochFloor,
    )
    await store.saveInvitation(record.#record)
    return record
  }

  get incarnation(): number {
    return this.#record.incarnation
  }

  /** What hosts had said when an earlier life here ended. */
  get statements(): Uint8Array | null {
    return this.#record.statements ?? null
  }

  /** Of every invitation that this device has had; the one of the link first. */
  get secrets(): readonly Uint8Array[] {
    return [this.#record.secret, ...(this.#record.otherSecrets ?? [])]
  }

  usedEpoch(epoch: number): void {
    if (epoch < this.#record.epochBlock - EPOCH_BLOCK / 2) return
    this.#save({ epochBlock: epoch + EPOCH_BLOCK })
  }

  /** `secrets`: the present one first. */
  keep(changes: {
    readonly secrets: readonly Uint8Array[]
    readonly statements: Uint8Array
    readonly roomKey: Uint8Array | null
  }): void {
    const [secret, ...otherSecrets] = changes.secrets
    const { roomKey, statements } = changes
    this.#save({ secret: secret!, otherSecrets, statements, ...(roomKey && { roomKey }) })
  }

  /** @throws KeymootError `storage-unavailable` */
  async forget(): Promise<void> {
    this.#forgotten = true
    await this.#store.deleteInvitation(this.#record.conferenceId)
  }

  /** Who has left has forgotten the invitation, and a view on the way out must not bring it back. */
  #save(changes: Partial<InvitationRecord>): void {
    if (this.#forgotten) return
    this.#record = { ...this.#record, ...changes }
    // A full disk must not end a conference; the incarnation keeps lives apart all the same.
    this.#store.saveInvitation(this.#record).catch(() => undefined)
  }
}
