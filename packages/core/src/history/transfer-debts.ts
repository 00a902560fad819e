import type { MemberId, View } from "@keymoot/transport"
import { transferIn } from "./arrivals.ts"
import { decodeChunk } from "./chunks.ts"

/**
 * Number of views in which a transfer can be continued after the one that caused it. Others report history that comes
 * later than `NEWS_VIEWS` after the last newcomers, and may have seen these a view earlier.
 */
const CONTINUED_VIEWS = 2

type Debt = {
  /** Members that stayed with this one and have the log, in the order in which they send it. */
  readonly holders: readonly MemberId[]
  /** Newcomers of that view that are still here. */
  readonly newcomers: readonly MemberId[]
  /** Names of the sender's possible transfers. It may start again in a later view. */
  readonly names: readonly string[]
  readonly sender: MemberId | undefined
  /** Views since the newcomers came. */
  readonly age: number
}

/**
 * Transfers of history to newcomers whose last chunk was not delivered here. Members that go on together have delivered
 * the same chunks. So they agree on what the newcomers lack when the sender is gone, and on the member that continues.
 * An empty log is not sent, so its debt stays open until it is too old.
 */
export class TransferDebts {
  /** At most one for each view up to `CONTINUED_VIEWS` ago. */
  #debts: readonly Debt[] = []
  /** Transfers of the present view that were delivered. It may be secured here later than at their senders. */
  readonly #delivered = new Map<MemberId, string>()

  /** A view is installed. */
  onView({ transitional }: Pick<View, "transitional">): void {
    this.#delivered.clear()
    const stays = (member: MemberId): boolean => transitional.includes(member)
    this.#debts = this.#debts
      .map((debt) => ({
        ...debt,
        holders: debt.holders.filter(stays),
        newcomers: debt.newcomers.filter(stays),
        age: debt.age + 1,
      }))
      .filter(({ newcomers, age }) => newcomers.length > 0 && age <= CONTINUED_VIEWS)
  }

  /** A chunk of a transfer was delivered. */
  onChunk(from: MemberId, chunk: Uint8Array): void {
    const head = decodeChunk(chunk)
    if (!head || head.index !== head.count - 1) return
    this.#delivered.set(from, head.transfer)
    this.#debts = this.#debts.filter((debt) => this.#isOpen(debt))
  }

  /**
   * The view is secured, and these members came since the last secured one. Returns whether `self` has to send the log,
   * because the sender of an unfinished transfer is gone or may no longer send.
   */
  onSecured(
    { id, members }: Pick<View, "id" | "members">,
    newcomers: readonly MemberId[],
    self: MemberId,
    may: (member: MemberId) => boolean,
  ): boolean {
    const name = transferIn(id)
    const known = this.#debts.map((debt) => ({ ...debt, names: [...debt.names, name], sender: debt.holders.find(may) }))
    const inherits = known.some(({ sender }, index) => sender === self && this.#debts[index]!.sender !== self)
    const holders = members
      .map((member) => member.id)
      .filter((member) => !newcomers.includes(member))
      .toSorted()
    const debt = { holders, newcomers, names: [name], sender: holders.find(may), age: 0 }
    this.#debts = [...known, ...(newcomers.length > 0 ? [debt] : [])].filter((each) => this.#isOpen(each))
    return inherits
  }

  #isOpen({ sender, names }: Debt): boolean {
    const delivered = sender && this.#delivered.get(sender)
    return !delivered || !names.includes(delivered)
  }
}
