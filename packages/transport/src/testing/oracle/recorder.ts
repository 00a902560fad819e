/** Takes a trace event by event, and checks the properties of single events: 1 to 6, 9, 10, and one trans per view. */
import type { TraceEvent } from "./trace.ts"
import { setOf, type Fail, type Run, type Sent, type Stay, type ViewEvent } from "./record.ts"

export class Recorder {
  readonly #fail: Fail
  readonly #sent = new Map<string, Sent>()
  readonly #current = new Map<string, Stay>()
  readonly #stays = new Map<string, Stay[]>()
  readonly #lastNumber = new Map<string, number>()
  readonly #everDelivered = new Map<string, Set<string>>()
  readonly #keys = new Map<string, string>()
  readonly #viewOfKey = new Map<string, string>()
  readonly #keyed = new Map<string, Set<string>>()
  #calm: Extract<TraceEvent, { e: "calm" }> | null = null

  constructor(fail: Fail) {
    this.#fail = fail
  }

  get run(): Run {
    return { sent: this.#sent, stays: this.#stays, last: this.#current, keyed: this.#keyed, calm: this.#calm }
  }

  take(event: TraceEvent): void {
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
        return this.#key(event)
      case "calm":
        this.#calm = event
    }
  }

  #view(event: ViewEvent): void {
    const { p, id, n, D, T } = event
    const known = this.#stays.get(id)
    const other = known?.[0]?.view
    if (!setOf(D).has(p)) this.#fail("2 self inclusion", `${p} installs ${id} without itself`)
    const differs = other && ((other.D !== D && other.D.join() !== D.join()) || other.n !== n)
    if (differs) this.#fail("3 same view", `${id} differs at ${p}`)
    if (n <= (this.#lastNumber.get(p) ?? -1)) this.#fail("4 ids increase", `${p} installs ${n} after a later one`)
    this.#lastNumber.set(p, n)
    const before = this.#current.get(p)
    if (before) this.#leave(before, event)
    const mayCome = (q: string): boolean => before !== undefined && setOf(D).has(q) && setOf(before.view.D).has(q)
    if (!setOf(T).has(p) || T.some((q) => q !== p && !mayCome(q))) {
      this.#fail("11 transitional set", `${p} has T={${T.join()}} in ${id}`)
    }
    const stay: Stay = {
      member: p,
      view: event,
      delivered: [],
      position: new Map(),
      newestUnreliable: new Map(),
      sent: [],
      unreliableSent: 0,
      flushRequested: false,
      flushed: false,
      trans: 0,
      next: null,
      crashed: false,
    }
    this.#current.set(p, stay)
    if (known) known.push(stay)
    else this.#stays.set(id, [stay])
  }

  #leave(stay: Stay, next: ViewEvent): void {
    stay.next = next
    if (!stay.flushed) this.#fail("10 flush", `${stay.member} installs ${next.id} without a flush`)
    if (stay.trans !== 1) this.#fail("13 one trans", `${stay.member} had ${stay.trans} before ${next.id}`)
  }

  #send({ p, m, v, s }: Extract<TraceEvent, { e: "send" }>): void {
    const stay = this.#current.get(p)
    if (!stay || stay.view.id !== v) return this.#fail("1 initial view", `${p} sends ${m} outside of its view`)
    if (stay.flushed) this.#fail("10 flush", `${p} sends ${m} after its flush`)
    if (this.#sent.has(m)) this.#fail("6 integrity", `${m} is sent twice`)
    const number = s === "unreliable" ? ++stay.unreliableSent : stay.sent.length + 1
    const sent: Sent = { m, by: p, view: v, service: s, number, past: stay.delivered.length }
    this.#sent.set(m, sent)
    if (s !== "unreliable") stay.sent.push(sent)
  }

  #deliver({ t, p, m, v, g, s }: Extract<TraceEvent, { e: "deliver" }>): void {
    const stay = this.#current.get(p)
    const sent = this.#sent.get(m)
    if (!sent || sent.service !== s) return this.#fail("6 integrity", `${p} delivers ${m} as ${s}, which nobody sent`)
    if (stay?.view.id !== v || sent.view !== v) {
      return this.#fail("9 sending view", `${p} delivers ${m} of ${sent.view} in ${stay?.view.id}`)
    }
    if (!setOf(stay.view.D).has(sent.by)) this.#fail("6 integrity", `${p} delivers ${m} of a stranger`)
    let ever = this.#everDelivered.get(p)
    if (!ever) this.#everDelivered.set(p, (ever = new Set()))
    if (ever.has(m)) this.#fail("5 no duplicates", `${p} delivers ${m} again`)
    ever.add(m)
    if (s === "unreliable") {
      const newest = stay.newestUnreliable.get(sent.by) ?? 0
      if (sent.number < newest) this.#fail("newest wins", `${p} delivers ${m} after a newer one`)
      stay.newestUnreliable.set(sent.by, sent.number)
      return
    }
    stay.position.set(m, stay.delivered.length)
    stay.delivered.push({ sent, g: g ?? 0, afterTrans: stay.trans > 0, t })
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

  /** Under majority one key serves several views. Which members get it depends on a roster that is not in the trace. */
  #key({ p, id, key, module }: Extract<TraceEvent, { e: "keyed" }>): void {
    if (this.#current.get(p)?.view.id !== id) this.#fail("key of the view", `${p} has a key for ${id}, where it is not`)
    const other = this.#keys.get(id)
    if (other !== undefined && other !== key) this.#fail("one key", `two keys in ${id}`)
    this.#keys.set(id, key)
    if (module === "majority") return
    const earlier = this.#viewOfKey.get(key)
    if (earlier !== undefined && earlier !== id) this.#fail("fresh key", `${id} repeats the key of ${earlier}`)
    this.#viewOfKey.set(key, id)
    const holders = this.#keyed.get(id) ?? new Set()
    this.#keyed.set(id, holders.add(p))
  }
}
