/**
 * Judges a trace by the properties of view synchrony (the survey of Chockler, Keidar and Vitenberg, and the twenty
 * that our transport promises). It knows nothing of how the trace came about.
 */
import type { TraceEvent } from "./trace.ts"

export type Violation = { readonly property: string; readonly detail: string; readonly t: number }

type ViewEvent = Extract<TraceEvent, { e: "view" }>
type Sent = {
  readonly by: string
  readonly view: string
  readonly service: string
  readonly order: number
  readonly past: number
}
type Delivered = { readonly m: string; readonly g: number; readonly ordered: boolean; readonly afterTrans: boolean }

/** What one member did in one view, from its installation to the next view, crash or end. */
type Stay = {
  readonly member: string
  readonly view: ViewEvent
  readonly delivered: Delivered[]
  readonly position: Map<string, number>
  readonly sent: string[]
  flushRequested: boolean
  flushed: boolean
  trans: number
  /** The view installed directly from this one. */
  next: ViewEvent | null
  crashed: boolean
}

export function judge(trace: readonly TraceEvent[]): Violation[] {
  return new Oracle().judge(trace)
}

class Oracle {
  readonly #violations: Violation[] = []
  readonly #sent = new Map<string, Sent>()
  readonly #current = new Map<string, Stay>()
  readonly #stays: Stay[] = []
  readonly #lastNumber = new Map<string, number>()
  readonly #everDelivered = new Set<string>()
  readonly #viewsById = new Map<string, ViewEvent>()
  readonly #keys = new Map<string, string>()
  readonly #viewOfKey = new Map<string, string>()
  #calm: Extract<TraceEvent, { e: "calm" }> | null = null
  #now = 0

  judge(trace: readonly TraceEvent[]): Violation[] {
    for (const event of trace) {
      this.#now = event.t
      this.#take(event)
    }
    for (const id of this.#viewsById.keys()) this.#judgeView(this.#stays.filter((stay) => stay.view.id === id))
    this.#judgeCalm()
    return this.#violations
  }

  #fail(property: string, detail: string): void {
    this.#violations.push({ property, detail, t: this.#now })
  }

  #take(event: TraceEvent): void {
    switch (event.e) {
      case "view":
        return this.#view(event)
      case "send":
        return this.#send(event)
      case "deliver":
        return this.#deliver(event)
      case "trans":
      case "flush_req":
      case "flush":
        return this.#mark(event.p, event.e)
      case "crash": {
        const stay = this.#current.get(event.p)
        if (stay) stay.crashed = true
        this.#current.delete(event.p)
        return
      }
      case "keyed":
        return this.#keyed(event.id, event.key)
      case "calm":
        this.#calm = event
    }
  }

  #view(event: ViewEvent): void {
    const { p, id, n, D, T } = event
    const known = this.#viewsById.get(id)
    if (!D.includes(p)) this.#fail("2 self inclusion", `${p} installs ${id} without itself`)
    if (known && (known.D.join() !== D.join() || known.n !== n)) this.#fail("3 same view", `${id} differs at ${p}`)
    if (n <= (this.#lastNumber.get(p) ?? -1)) this.#fail("4 ids increase", `${p} installs ${n} after a later one`)
    this.#viewsById.set(id, event)
    this.#lastNumber.set(p, n)
    const before = this.#current.get(p)
    if (before) {
      before.next = event
      if (!before.flushed) this.#fail("10 flush", `${p} installs ${id} without a flush`)
      if (before.trans !== 1) this.#fail("13 one trans", `${p} had ${before.trans} before ${id}`)
    }
    const allowed = before ? D.filter((q) => before.view.D.includes(q)) : []
    if (!T.includes(p) || T.some((q) => q !== p && !allowed.includes(q))) {
      this.#fail("11 transitional set", `${p} has T={${T.join()}} in ${id}`)
    }
    const stay: Stay = {
      member: p,
      view: event,
      delivered: [],
      position: new Map(),
      sent: [],
      flushRequested: false,
      flushed: false,
      trans: 0,
      next: null,
      crashed: false,
    }
    this.#current.set(p, stay)
    this.#stays.push(stay)
  }

  #send({ p, m, v, s }: Extract<TraceEvent, { e: "send" }>): void {
    const stay = this.#current.get(p)
    if (!stay || stay.view.id !== v) return this.#fail("1 initial view", `${p} sends ${m} outside of its view`)
    if (stay.flushed) this.#fail("10 flush", `${p} sends ${m} after its flush`)
    if (this.#sent.has(m)) this.#fail("6 integrity", `${m} is sent twice`)
    this.#sent.set(m, { by: p, view: v, service: s, order: stay.sent.push(m), past: stay.delivered.length })
  }

  #deliver({ p, m, v, g }: Extract<TraceEvent, { e: "deliver" }>): void {
    const stay = this.#current.get(p)
    const sent = this.#sent.get(m)
    if (!sent) return this.#fail("6 integrity", `${p} delivers ${m}, which nobody sent`)
    if (stay?.view.id !== v || sent.view !== v) {
      return this.#fail("9 sending view", `${p} delivers ${m} of ${sent.view} in ${stay?.view.id}`)
    }
    if (!stay.view.D.includes(sent.by)) this.#fail("6 integrity", `${p} delivers ${m} of a stranger`)
    if (this.#everDelivered.has(`${p} ${m}`)) this.#fail("5 no duplicates", `${p} delivers ${m} again`)
    this.#everDelivered.add(`${p} ${m}`)
    stay.position.set(m, stay.delivered.length)
    stay.delivered.push({ m, g: g ?? 0, ordered: g !== undefined, afterTrans: stay.trans > 0 })
  }

  #mark(p: string, event: "trans" | "flush_req" | "flush"): void {
    const stay = this.#current.get(p)
    if (!stay) return this.#fail("1 initial view", `${p}: ${event} before a view`)
    if (event === "trans") stay.trans++
    else if (event === "flush_req") {
      if (stay.flushRequested) this.#fail("10 flush", `${p} is asked twice in ${stay.view.id}`)
      stay.flushRequested = true
    } else {
      if (!stay.flushRequested || stay.flushed) this.#fail("10 flush", `${p} flushes unasked or twice`)
      stay.flushed = true
    }
  }

  #keyed(view: string, key: string): void {
    const other = this.#keys.get(view)
    if (other !== undefined && other !== key) this.#fail("one key", `two keys in ${view}`)
    const earlier = this.#viewOfKey.get(key)
    if (earlier !== undefined && earlier !== view) this.#fail("fresh key", `${view} repeats the key of ${earlier}`)
    this.#keys.set(view, key)
    this.#viewOfKey.set(key, view)
  }

  #judgeView(stays: readonly Stay[]): void {
    for (const stay of stays) {
      this.#judgeOrderOfSenders(stay)
      const lost = stay.next ? stay.sent.find((m) => !stay.position.has(m)) : undefined
      if (lost) this.#fail("7 self delivery", `${stay.member} leaves ${stay.view.id} without its own ${lost}`)
    }
    this.#judgeAgreed(stays)
    for (const p of stays) {
      for (const q of stays) {
        if (p === q || !p.next || !q.next || p.next.id !== q.next.id || !p.next.T.includes(q.member)) continue
        this.#judgeMovers(p, q)
      }
    }
  }

  /** 14 and 15: a sender's messages in its order; an agreed message after everything its sender had delivered. */
  #judgeOrderOfSenders(stay: Stay): void {
    const last = new Map<string, number>()
    for (const [position, { m, ordered }] of stay.delivered.entries()) {
      const sent = this.#sent.get(m)!
      if (sent.order !== (last.get(sent.by) ?? 0) + 1) {
        this.#fail("14 fifo", `${stay.member} delivers ${m} as number ${sent.order} after ${last.get(sent.by) ?? 0}`)
      }
      last.set(sent.by, sent.order)
      if (!ordered) continue
      const sender = this.#stays.find((other) => other.member === sent.by && other.view.id === stay.view.id)
      for (const past of sender?.delivered.slice(0, sent.past) ?? []) {
        const at = stay.position.get(past.m)
        if (at === undefined || at > position) {
          this.#fail("15 causal", `${stay.member} delivers ${m} before ${past.m}`)
          break
        }
      }
    }
  }

  /** 16: one numbering, without holes before trans; after it, without holes among the senders of T. */
  #judgeAgreed(stays: readonly Stay[]): void {
    const byNumber = new Map<number, string>()
    for (const stay of stays) {
      let last = 0
      for (const { m, g } of stay.delivered) {
        if (g === 0) continue
        if (g <= last) this.#fail("16 agreed", `${stay.member} delivers ${m} (${g}) after ${last}`)
        last = g
        const other = byNumber.get(g) ?? m
        if (other !== m) this.#fail("16 agreed", `${g} in ${stay.view.id} is ${m} and ${other}`)
        byNumber.set(g, m)
      }
    }
    for (const stay of stays) this.#judgeHoles(stay, byNumber)
  }

  #judgeHoles(stay: Stay, byNumber: ReadonlyMap<number, string>): void {
    let next = 1
    for (const { m, g, afterTrans } of stay.delivered) {
      if (g === 0) continue
      for (; next < g; next++) {
        const missing = byNumber.get(next)
        const sender = missing === undefined ? undefined : this.#sent.get(missing)!.by
        const excused = sender === undefined || (afterTrans && !stay.next?.T.includes(sender))
        if (!excused) this.#fail("16 agreed", `${stay.member} delivers ${m} (${g}) without ${missing} (${next})`)
      }
      next = g + 1
    }
  }

  /** 11, 12 and 13 for two that go from one view to the next together. */
  #judgeMovers(p: Stay, q: Stay): void {
    const where = `${p.member} and ${q.member} from ${p.view.id} to ${p.next!.id}`
    if (p.next!.T.join() !== q.next!.T.join()) this.#fail("11 transitional set", `${where}: different T`)
    const missing = p.delivered.filter(({ m }) => !q.position.has(m))
    if (missing.length > 0) this.#fail("12 virtual synchrony", `${where}: only ${p.member} has ${missing[0]!.m}`)
    const agreed = (stay: Stay, after: boolean): string =>
      stay.delivered
        .filter((delivered) => delivered.ordered && delivered.afterTrans === after)
        .map(({ m }) => m)
        .join()
    if (agreed(p, false) !== agreed(q, false)) this.#fail("13 before trans", where)
    if (agreed(p, true) !== agreed(q, true)) this.#fail("13 after trans", where)
  }

  /** 7, 18 and 19: after calm all are in one view, and whatever was sent in it has come everywhere. */
  #judgeCalm(): void {
    if (!this.#calm || this.#calm.D.length === 0) return
    const last = this.#calm.D.map((name) => this.#current.get(name))
    const views = new Set(last.map((stay) => stay?.view.id))
    if (views.size !== 1 || last[0]?.view.D.join() !== this.#calm.D.join()) {
      const shown = last.map((stay, i) => `${this.#calm!.D[i]}: {${stay?.view.D.join("")}} ${stay?.view.n}`).join("; ")
      return this.#fail("18 precision", `after calm ${shown}`)
    }
    for (const [m, sent] of this.#sent) {
      if (sent.view !== last[0]!.view.id) continue
      for (const stay of last) {
        if (!stay!.position.has(m)) this.#fail("19 delivered by all", `${stay!.member} lacks ${m}`)
      }
    }
    if (this.#keys.size > 0 && !this.#keys.has(last[0]!.view.id)) this.#fail("keyed", `no key in ${last[0]!.view.id}`)
  }
}
