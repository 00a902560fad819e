import type { Kysely, Transaction } from "kysely"
import type { Schema } from "./schema.ts"

export type Query = Kysely<Schema> | Transaction<Schema>

/**
 * The number of rows of a table, counted once and then maintained, since counting is linear. Processes that share a
 * database do not see each other's rows before the next `recount`: the bound protects the disk and need not be exact.
 */
export class Rows {
  readonly table: "conference" | "participant"
  readonly #rowsMax: number
  #count: number | undefined

  constructor(table: "conference" | "participant", rowsMax: number) {
    this.table = table
    this.#rowsMax = rowsMax
  }

  async isFull(query: Query): Promise<boolean> {
    this.#count ??= await this.#ask(query)
    return this.#count >= this.#rowsMax
  }

  added(): void {
    if (this.#count !== undefined) this.#count += 1
  }

  removed(): void {
    if (this.#count !== undefined) this.#count -= 1
  }

  async recount(query: Query): Promise<void> {
    this.#count = await this.#ask(query)
  }

  async #ask(query: Query): Promise<number> {
    const { count } = await query
      .selectFrom(this.table)
      .select((column) => column.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow()
    return count
  }
}
