import type { Random } from "./random.ts"

/** One disturbance at a virtual time. Plain data, so that a schedule can be printed, shrunk and run again. */
export type Fault = { readonly atMs: number } & (
  | { readonly type: "crash" | "recover"; readonly member: string }
  | { readonly type: "break"; readonly a: string; readonly b: string }
  | { readonly type: "partition"; readonly groups: readonly (readonly string[])[] }
  | { readonly type: "heal" }
  | { readonly type: "stall"; readonly from: string; readonly to: string; readonly forMs: number }
  | { readonly type: "slow"; readonly member: string; readonly forMs: number }
  | { readonly type: "refresh"; readonly member: string }
)

export function memberNames(count: number): string[] {
  return Array.from({ length: count }, (_, i) => (i < 26 ? String.fromCharCode(97 + i) : `m${i}`))
}

/** `count` faults between `fromMs` and `untilMs`, in order of time. */
export function randomSchedule(
  random: Random,
  names: readonly string[],
  count: number,
  fromMs: number,
  untilMs: number,
): Fault[] {
  const faults = Array.from({ length: count }, () => randomFault(random, names, fromMs, untilMs))
  return faults.sort((a, b) => a.atMs - b.atMs)
}

function randomFault(random: Random, names: readonly string[], fromMs: number, untilMs: number): Fault {
  const atMs = Math.round(fromMs + random.next() * (untilMs - fromMs))
  const member = random.pick(names)
  const other = random.pick(names)
  const forMs = Math.round(50 + random.next() * 1500)
  switch (random.integer(10)) {
    case 0:
      return { atMs, type: "crash", member }
    case 1:
    case 2:
      return { atMs, type: "recover", member }
    case 3:
      return { atMs, type: "break", a: member, b: other }
    case 4: {
      const count = 2 + random.integer(2)
      const groups: string[][] = Array.from({ length: count }, () => [])
      for (const name of names) groups[random.integer(count)]!.push(name)
      return { atMs, type: "partition", groups }
    }
    case 5:
    case 6:
      return { atMs, type: "heal" }
    case 7:
      return { atMs, type: "stall", from: member, to: other, forMs }
    case 8:
      return { atMs, type: "slow", member, forMs }
    default:
      return { atMs, type: "refresh", member }
  }
}
