import type { Random } from "../random/random.ts"

/** One fault at a virtual time. Plain data, so that a schedule can be printed, shrunk and run again. */
export type Fault = { readonly atMs: number } &
  /** The member is absent at the start. */
  (
    | { readonly type: "absent"; readonly member: string }
    | { readonly type: "crash" | "recover" | "leave" | "reload" | "refresh"; readonly member: string }
    | { readonly type: "break"; readonly a: string; readonly b: string }
    | { readonly type: "partition"; readonly groups: readonly (readonly string[])[] }
    | { readonly type: "heal" }
    /** `stall`: messages are late, in order. `cut`: they are lost, until the link breaks. */
    | { readonly type: "stall" | "cut"; readonly from: string; readonly to: string; readonly forMs: number }
    | { readonly type: "clog" | "unclog"; readonly from: string; readonly to: string }
    /** All messages that it sends are late. */
    | { readonly type: "slow"; readonly member: string; readonly forMs: number }
    /** It does nothing, and incoming messages wait. */
    | { readonly type: "sleep"; readonly member: string; readonly forMs: number }
    /** It proposes a view of these members, regardless of others. */
    | { readonly type: "propose"; readonly member: string; readonly members: readonly string[] }
  )

export function memberNames(count: number): string[] {
  return Array.from({ length: count }, (_, i) => (i < 26 ? String.fromCharCode(97 + i) : `m${i}`))
}

/** `count` faults between `fromMs` and `untilMs`, in order of time, and some members that are absent at first. */
export function randomSchedule(
  random: Random,
  names: readonly string[],
  count: number,
  fromMs: number,
  untilMs: number,
): Fault[] {
  const absent = names.filter(() => random.chance(0.1)).map((member) => ({ atMs: 0, type: "absent", member }) as const)
  const clogs: Extract<Fault, { type: "clog" | "unclog" }>[] = []
  const faults = Array.from({ length: count }, () => randomFault(random, names, fromMs, untilMs, clogs))
  return [...absent, ...faults.sort((a, b) => a.atMs - b.atMs)]
}

function randomFault(
  random: Random,
  names: readonly string[],
  fromMs: number,
  untilMs: number,
  clogs: Extract<Fault, { type: "clog" | "unclog" }>[],
): Fault {
  const atMs = Math.round(fromMs + random.next() * (untilMs - fromMs))
  const member = random.pick(names)
  const other = random.pick(names)
  const forMs = Math.round(50 + random.next() * 1500)
  const kind = random.integer(24)
  if (kind < 2) return { atMs, type: "crash", member }
  if (kind < 5) return { atMs, type: "recover", member }
  if (kind < 6) return { atMs, type: "leave", member }
  if (kind < 7) return { atMs, type: "reload", member }
  if (kind < 9) return { atMs, type: "break", a: member, b: other }
  if (kind < 11) return { atMs, type: "partition", groups: split(random, names) }
  if (kind < 13) return { atMs, type: "heal" }
  if (kind < 14) return { atMs, type: "stall", from: member, to: other, forMs }
  if (kind < 15) return { atMs, type: "cut", from: member, to: other, forMs }
  if (kind < 17) {
    // Clogs end in another order, if at all.
    const clogged = clogs[random.integer(2 * clogs.length + 2)]
    const fault: (typeof clogs)[number] = clogged
      ? { ...clogged, atMs, type: "unclog" }
      : { atMs, type: "clog", from: member, to: other }
    if (!clogged) clogs.push(fault)
    return fault
  }
  if (kind < 18) return { atMs, type: "slow", member, forMs }
  if (kind < 19) return { atMs, type: "sleep", member, forMs }
  if (kind < 20) return { atMs, type: "refresh", member }
  return { atMs, type: "propose", member, members: names.filter(() => random.chance(0.7)) }
}

function split(random: Random, names: readonly string[]): string[][] {
  const groups: string[][] = Array.from({ length: 2 + random.integer(2) }, () => [])
  for (const name of names) random.pick(groups).push(name)
  return groups
}

/** Human-readable description of one fault. */
export function describeFault(fault: Fault): string {
  const { atMs, type, ...rest } = fault
  const about = Object.entries(rest).map(([key, value]) => `${key} ${spell(value)}`)
  return [`${String(atMs).padStart(6)} ms  ${type}`, ...about].join("  ")
}

function spell(value: unknown): string {
  return Array.isArray(value)
    ? value.map((part) => (Array.isArray(part) ? `{${part.join(" ")}}` : part)).join(" ")
    : String(value)
}
