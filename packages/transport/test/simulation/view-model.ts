/**
 * The transition relation of `tools/models/alloy/views.als` over the events of a recorded run. A step is a receipt, an entry of
 * the ORDER, an answer, an installation or a crash there. A run shows the last two, and the first two by what a member
 * delivers. A run does not show the contents of a SYNC. The first member that moves from one view to the next reveals
 * the outcome, and each later one must have the same.
 */
import type { TraceEvent } from "@keymoot/transport/testing"

type Message = { readonly origin: string; readonly of: string; readonly service: string }
type View = { readonly number: number; readonly members: readonly string[]; readonly from: Map<string, string> }
/** Messages delivered in a view: in all, and the agreed ones before the transitional signal, in their order. */
type Outcome = { readonly delivered: ReadonlySet<string>; readonly signalled: readonly string[] }
type Member = {
  readonly installed: string
  readonly delivered: Set<string>
  readonly signalled: string[]
  readonly unreliable: Set<string>
  place: number
  phase: "sending" | "frozen" | "signalled"
}

export class ViewModel {
  readonly #members = new Map<string, Member>()
  /** Highest number of each member, kept over crashes. */
  readonly #numbers = new Map<string, number>()
  readonly #messages = new Map<string, Message>()
  readonly #views = new Map<string, View>()
  /** By view and place. */
  readonly #ordered = new Map<string, string>()
  /** By former and new view, and the transitional set. */
  readonly #outcomes = new Map<string, Outcome>()

  /** Takes the step, or returns why the model has none like it. */
  step(event: TraceEvent): string | null {
    switch (event.e) {
      case "view":
        return this.#install(event)
      case "send":
        return this.#send(event)
      case "deliver":
        return this.#deliver(event)
      case "crash":
        this.#members.delete(event.p)
        return null
      case "flush":
        return this.#pass(event.p, "sending", "frozen")
      case "trans":
        return this.#pass(event.p, "frozen", "signalled")
      default:
        return null
    }
  }

  #pass(p: string, from: Member["phase"], to: Member["phase"]): string | null {
    const member = this.#members.get(p)
    if (member?.phase !== from) return `${p} is ${member?.phase ?? "not up"}, not ${from}`
    member.phase = to
    return null
  }

  #send({ p, m, v, s }: Extract<TraceEvent, { e: "send" }>): string | null {
    const member = this.#members.get(p)
    if (member?.installed !== v || member.phase !== "sending") return `${p} may not send in ${v}`
    if (this.#messages.has(m)) return `${m} exists`
    this.#messages.set(m, { origin: p, of: v, service: s })
    return null
  }

  #deliver({ p, m, v, g = 0 }: Extract<TraceEvent, { e: "deliver" }>): string | null {
    const member = this.#members.get(p)
    const message = this.#messages.get(m)
    if (!member || member.installed !== v || message?.of !== v) return `${p} has no ${m} in ${v}`
    const already = message.service === "unreliable" ? member.unreliable : member.delivered
    if (already.has(m)) return `${p} has delivered ${m}`
    already.add(m)
    const isSignalled = member.phase === "signalled"
    if (g === 0) {
      const isAgreed = message.service === "agreed" || message.service === "safe"
      return isAgreed && !isSignalled ? `${m} has no place at ${p} before the signal` : null
    }
    const first = this.#ordered.get(`${v} ${g}`) ?? m
    if (first !== m) return `the place ${g} of ${v} has ${first} and ${m}`
    this.#ordered.set(`${v} ${g}`, m)
    if (isSignalled ? g <= member.place : g !== member.place + 1)
      return `${p} delivers place ${g} after ${member.place}`
    member.place = g
    if (!isSignalled) member.signalled.push(m)
    return null
  }

  #install({ p, id, n, D, T }: Extract<TraceEvent, { e: "view" }>): string | null {
    const former = this.#members.get(p)
    const view = this.#views.get(id) ?? { number: n, members: D, from: new Map<string, string>() }
    if (view.number !== n || view.members.join() !== D.join() || !D.includes(p)) return `${id} differs at ${p}`
    if (n <= (this.#numbers.get(p) ?? -1)) return `${p} goes back to ${n}`
    if (former && former.phase !== "signalled") return `${p} is ${former.phase} when it installs ${id}`
    if (former) {
      const reason = this.#move(p, former, id, T)
      if (reason) return reason
      for (const q of T)
        if (view.from.has(q) && view.from.get(q) !== former.installed) return `${q} came to ${id} from elsewhere`
      view.from.set(p, former.installed)
    }
    this.#views.set(id, view)
    this.#numbers.set(p, n)
    const present = { installed: id, delivered: new Set<string>(), signalled: [], unreliable: new Set<string>() }
    this.#members.set(p, { ...present, place: 0, phase: "sending" })
    return null
  }

  /** The transitional set delivers the union of what it held, and all of its own. */
  #move(
    p: string,
    { installed, delivered, signalled }: Member,
    id: string,
    transitional: readonly string[],
  ): string | null {
    const key = [installed, id, ...transitional].join(" ")
    const outcome = this.#outcomes.get(key) ?? { delivered, signalled }
    this.#outcomes.set(key, outcome)
    if ([...outcome.delivered].toSorted().join() !== [...delivered].toSorted().join())
      return `${p} moves to ${id} with other messages`
    if (outcome.signalled.join() !== signalled.join()) return `${p} moves to ${id} with another order before the signal`
    for (const [m, { origin, of, service }] of this.#messages) {
      if (of === installed && origin === p && service !== "unreliable" && !delivered.has(m))
        return `${p} lost its own ${m}`
    }
    return null
  }
}

/** Null, or the first event that the model refuses. */
export function refusedBy(
  trace: readonly TraceEvent[],
): { readonly event: TraceEvent; readonly reason: string } | null {
  const model = new ViewModel()
  for (const event of trace) {
    const reason = model.step(event)
    if (reason) return { event, reason }
  }
  return null
}
