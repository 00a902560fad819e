import type { KeyAgreementName } from "@keymoot/gke"
import type { Cost, KEM_OPERATIONS } from "./critical-path.ts"

export const EVENTS = ["join", "leave", "merge", "partition", "refresh"] as const
export type EventName = (typeof EVENTS)[number]

type Row = Omit<Cost, "additions" | "bytes" | typeof KEM_OPERATIONS>

/**
 * Table 1 of Amir, Kim, Nita-Rotaru and Tsudik, "On the performance of group key agreement protocols". Exponentiations are
 * those of the worst case under TGDH, with h the height of a balanced tree, and of the average under STR. BD's hide N-1 small ones
 * more. They have no refresh, and CKD's partition is not told apart from its leave.
 *
 * @param n members before the event
 * @param change how many merge or leave
 */
export function papersCost(module: KeyAgreementName, event: EventName, n: number, change: number): Row | undefined {
  if (event === "refresh") return undefined
  return tables[module][event]?.(n, change)
}

type Table = Readonly<Partial<Record<EventName, (n: number, change: number) => Row>>>

const row = (
  rounds: number,
  [unicasts, multicasts]: readonly [number, number],
  exponentiations: number,
  signatures: number,
  verifications: number,
): Row => ({ rounds, unicasts, multicasts, exponentiations, signatures, verifications })

const height = (members: number): number => Math.ceil(Math.log2(members))

const bd = (after: number): Row => row(2, [0, 2 * after], 3, 2, 2 * after)

const tables: Readonly<Record<KeyAgreementName, Table>> = {
  tgdh: {
    join: (n) => row(2, [0, 3], 1.5 * height(n + 1), 2, 3),
    merge: (n, m) => row(2, [0, 3], 1.5 * height(n + m), 2, 3),
    leave: (n) => row(1, [0, 1], 1.5 * height(n), 1, 1),
    partition: (n) => row(height(n), [0, 2 * height(n)], 3 * height(n), height(n), height(n)),
  },
  str: {
    join: () => row(2, [0, 3], 7, 2, 3),
    merge: (_, m) => row(2, [0, 3], 4 * m + 5, 2, 3),
    leave: (n) => row(1, [0, 1], 1.5 * n + 2, 1, 1),
    partition: (n) => row(1, [0, 1], 1.5 * n + 2, 1, 1),
  },
  bd: {
    join: (n) => bd(n + 1),
    merge: (n, m) => bd(n + m),
    leave: (n) => bd(n - 1),
    partition: (n, p) => bd(n - p),
  },
  gdh: {
    join: (n) => row(4, [n + 1, 2], n + 3, 4, n + 3),
    merge: (n, m) => row(m + 3, [n + 2 * m - 1, 2], n + 2 * m + 1, m + 3, n + 2 * m + 1),
    leave: (n) => row(1, [0, 1], n - 1, 1, 1),
    partition: (n, p) => row(1, [0, 1], n - p, 1, 1),
  },
  ckd: {
    join: (n) => row(3, [2, 1], n + 2, 3, 3),
    merge: (n, m) => row(3, [m, 2], n + 2 * m, 3, m + 2),
    leave: (n) => row(1, [0, 1], n - 1, 1, 1),
  },
}
