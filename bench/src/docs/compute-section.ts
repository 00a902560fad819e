/** The part of docs/key-agreement.md that is made from what `compute` has measured. */
import type { Figure } from "../experiment/figure.ts"
import type { Result } from "../run/result.ts"

/** `aim`: what a slower one is looked into for, in milliseconds, or how many times as fast at least. */
type Row = {
  readonly text: string
  readonly module: string
  readonly event: string
  readonly metric: string
  readonly aim?: number
}

const ROWS: readonly Row[] = [
  { text: "TGDH, leave: the sponsor", module: "tgdh", event: "leave", metric: "sponsor", aim: 1.5 },
  { text: "TGDH, leave: the slowest other", module: "tgdh", event: "leave", metric: "slowest other", aim: 1.2 },
  { text: "TGDH, join: the sponsor", module: "tgdh", event: "join", metric: "sponsor", aim: 1.5 },
  { text: "TGDH, join: the slowest other", module: "tgdh", event: "join", metric: "slowest other", aim: 1.2 },
  { text: "TGDH, join: the newcomer", module: "tgdh", event: "join", metric: "newcomer" },
  {
    text: "… of it after the sponsor's message",
    module: "tgdh",
    event: "join",
    metric: "newcomer, from the sponsor's message on",
  },
  {
    text: "STR, leave from the middle: the sponsor",
    module: "str",
    event: "leave from the middle",
    metric: "sponsor",
    aim: 8,
  },
  { text: "STR, leave from the bottom: the sponsor", module: "str", event: "leave from the bottom", metric: "sponsor" },
  { text: "GDH, leave: the controller", module: "gdh", event: "leave", metric: "controller", aim: 10 },
  { text: "BD, any event: each member", module: "bd", event: "any", metric: "each member", aim: 5 },
  { text: "CKD, leave: the controller", module: "ckd", event: "leave", metric: "controller", aim: 12 },
  { text: "Majority of 101: a member", module: "majority", event: "session", metric: "a member", aim: 60 },
  {
    text: "… signatures included",
    module: "majority",
    event: "session",
    metric: "a member, with signatures",
    aim: 100,
  },
]
const TABLE_HEAD = ["| | median | least to 95 % | aim |", "| --- | --- | --- | --- |"]
const LONGEST = "longest step of anybody"
/** A slower one would be felt: 10 ms are half a frame of the screen. */
const STEPS: readonly Row[] = [
  ...["leave", "join", "refresh", "a third leaves", "a third comes back"].map((event) => ({
    text: `TGDH, ${event}`,
    module: "tgdh",
    event,
    metric: LONGEST,
    aim: 10,
  })),
  { text: "BD, any event", module: "bd", event: "refresh", metric: LONGEST, aim: 20 },
  { text: "STR, leave from the middle", module: "str", event: "leave", metric: LONGEST },
  { text: "GDH, leave", module: "gdh", event: "leave", metric: LONGEST },
  { text: "CKD, leave", module: "ckd", event: "leave", metric: LONGEST },
]
const MLS: readonly Row[] = [
  {
    text: "to make a removal",
    module: "ts-mls 1.6.4",
    event: "leave",
    metric: "times tgdh's sponsor with signatures",
    aim: 20,
  },
  {
    text: "to process one",
    module: "ts-mls 1.6.4",
    event: "leave",
    metric: "times tgdh's slowest other with signatures",
    aim: 20,
  },
]

export function computeSection({ at, commit, machine, figures }: Result): string {
  const of = ({ module, event, metric }: Row): Figure | undefined =>
    figures.find((one) => one.module === module && one.event === event && one.metric === metric)
  const line = (row: Row, aim: (value: number) => string): string[] => {
    const found = of(row)
    return found
      ? [
          `| ${row.text} | ${found.median} | ${found.min} to ${found.p95} | ${row.aim === undefined ? "" : aim(row.aim)} |`,
        ]
      : []
  }
  const steps = STEPS.flatMap((row) => line(row, (value) => `≤ ${value}`))
  const large = figures.find(({ metric }) => metric === LONGEST)
  const multiplication = figures.find(({ metric }) => metric === "one multiplication")
  const [n, runs] = [figures[0]?.n, figures[0]?.runs]
  return [
    `Milliseconds at one member from the view to its key, with ${n} members and ${runs} runs each. They are of ${at.slice(0, 10)}: ${machine}, commit ${commit}. One multiplication took ${multiplication?.median} ms. Signatures are not included unless a row says so.`,
    "",
    ...TABLE_HEAD,
    ...ROWS.flatMap((row) => line(row, (value) => `≤ ${value}`)),
    ...MLS.flatMap((row) =>
      line({ ...row, text: `Times as fast as ts-mls, signatures included: ${row.text}` }, (value) => `≥ ${value}`),
    ),
    ...(large
      ? [
          "",
          `The longest step that anybody's thread is held for, ${large.n} members, ${large.runs} runs each:`,
          "",
          ...TABLE_HEAD,
          ...steps,
        ]
      : []),
  ].join("\n")
}
