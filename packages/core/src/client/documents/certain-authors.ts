import * as Y from "yjs"
import type { Clocks } from "./document-copy.ts"

/**
 * Content whose author is certain: a member has been a present writer since before it. Changes under the client id of
 * such a member are accepted only from it. Before that any editor can write under the id, since each member can compute
 * it.
 */
export class CertainAuthors {
  readonly #doc: Y.Doc
  /** Clock from which on the content of a client is certain. */
  #since: ReadonlyMap<number, number>

  /** `own`: of this member. Nobody else's changes are accepted under it. */
  constructor(doc: Y.Doc, own: number) {
    this.#doc = doc
    this.#since = new Map([[own, 0]])
  }

  /** Call it before changes of the view are accepted. `writers`: client ids of its writers, and the own one. */
  onView(writers: readonly number[]): void {
    const { store } = this.#doc
    this.#since = new Map(writers.map((client) => [client, this.#since.get(client) ?? Y.getState(store, client)]))
  }

  /**
   * A part that another member transferred, or that the local copy held, has been applied. It may have been sent before
   * the present view. `clocks`: its end by client.
   */
  onTransferred(clocks: Clocks): void {
    this.#since = new Map([...this.#since].map(([client, since]) => [client, Math.max(since, clocks.get(client) ?? 0)]))
  }

  has({ client, clock }: Y.ID): boolean {
    return clock >= (this.#since.get(client) ?? Infinity)
  }
}
