import type { TraceEvent, Violation } from "@keymoot/transport/testing"

type Delivered = Extract<TraceEvent, { e: "deliver" }>

/** The group's deliveries of data that the application has not got yet, in order; in one life of a member. */
type Pending = Delivered[]

const HAS_PAST: ReadonlySet<string> = new Set(["causal", "agreed", "safe"])

/**
 * Judges the way from the group to the application, which the general oracle does not know. The application gets all data
 * that the group delivers, once, with one content everywhere, and in an order that the services allow.
 */
export function judgeOpened(trace: readonly TraceEvent[]): Violation[] {
  const violations: Violation[] = []
  const pendingOf = new Map<string, Pending>()
  const texts = new Map<string, string>()
  for (const event of trace) {
    if (event.e === "deliver" && event.a !== 1) {
      const pending = pendingOf.get(event.p)
      if (pending) pending.push(event)
      else pendingOf.set(event.p, [event])
    }
    if (event.e === "crash") pendingOf.delete(event.p)
    if (event.e !== "opened") continue
    const { t, p, m, text } = event
    const fail = (detail: string): void => void violations.push({ property: "opened", detail: `${p} ${detail}`, t })
    const pending = pendingOf.get(p) ?? []
    const at = pending.findIndex((delivered) => delivered.m === m)
    if (at < 0) {
      fail(`gets ${m}, which its group has not delivered, or once more`)
      continue
    }
    const [delivered] = pending.splice(at, 1)
    const overtaken = pending.slice(0, at).find((earlier) => mustPrecede(earlier, delivered!))
    if (overtaken) fail(`gets ${m} before ${overtaken.m}`)
    const known = texts.get(m) ?? text
    texts.set(m, known)
    if (known !== text) fail(`gets ${m} as ${text}, others as ${known}`)
  }
  const t = trace.at(-1)?.t ?? 0
  for (const [p, [first]] of pendingOf) {
    if (first) violations.push({ property: "opened", detail: `${p} never gets ${first.m}`, t })
  }
  return violations
}

function mustPrecede(earlier: Delivered, later: Delivered): boolean {
  return earlier.v !== later.v || senderOf(earlier) === senderOf(later) || HAS_PAST.has(later.s)
}

function senderOf({ m }: Delivered): string {
  return m.slice(0, m.indexOf(":"))
}
