import type { Agent } from "./agent.ts"

/** To a process of members, and back. */
export type Call = {
  readonly call: number
  readonly member: number
  readonly method: "open" | keyof Agent
  readonly args: readonly unknown[]
}
export type Answer = { readonly call: number } & ({ readonly value: unknown } | { readonly error: string })
