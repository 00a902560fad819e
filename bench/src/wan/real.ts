/** The three sites for real: browsers and processes of Node on hosts of a lab, the real server at one of them. */
import { setTimeout } from "node:timers/promises"
import { Lab } from "@keymoot/e2e/lab"
import { sequencerIndex, type MemberId, type ViewId } from "@keymoot/transport"
import { Probe } from "@keymoot/e2e/probes"
import { ServerProcess } from "@keymoot/e2e/server"
import type { ModuleName } from "../experiment/experiment.ts"
import { figureOf, type Figure } from "../experiment/figure.ts"
import { pagePackage, type PagePackage } from "@keymoot/e2e/package-page"
import { roundTripBetween, type Site } from "../experiment/networks.ts"
import { leaverOf, PARTED_MS, WARM_UP_RUNS, type RekeyEvent } from "../rekey/measure.ts"
import type { Entry, Reached } from "./agent.ts"
import { BusyShare } from "./busy.ts"
import { openBrowser, openNode, type Member, type Opener } from "./members.ts"
import * as metrics from "./metrics.ts"
import { CUT_OFF, hostOf, isBrowser, isCutOff, PAPER_AGREED_MS, SERVER_SITE, siteOf, SITES } from "./places.ts"

type Opened = { readonly member: Member; readonly site: Site }
const ROUND_TRIPS = 9
/** In each run, from each site. */
const MESSAGES = 2
/** Many at once, on a busy machine; beyond, something is wrong. */
const WITHIN_MS = 180_000

type Parts = {
  readonly lab: Lab
  readonly server: ServerProcess
  readonly built: PagePackage
  readonly browsers: ReadonlyMap<Site, Opener>
  readonly node: Opener
}

export class ThreeSites {
  readonly #parts: Parts

  private constructor(parts: Parts) {
    this.#parts = parts
  }

  /** @throws LabUnavailable if this machine lacks something for it */
  static async start(): Promise<ThreeSites> {
    const built = await pagePackage()
    try {
      const path = (from: string, to: string) => ({ oneWayMs: roundTripBetween(siteNamed(from), siteNamed(to)) / 2 })
      const lab = await Lab.start({ hosts: SITES.map(hostOf), path })
      return new ThreeSites(await partsIn(lab, built))
    } catch (error) {
      await built.dispose()
      throw error
    }
  }

  async close(): Promise<void> {
    const { lab, server, built, browsers, node } = this.#parts
    await node.close()
    for (const browser of browsers.values()) await browser.close()
    await server.dispose()
    await lab.close()
    await built.dispose()
  }

  /** The lab's actual round trips for the papers' ones, on this machine. */
  async *roundTrips(): AsyncGenerator<Figure> {
    for (const [one, other] of [
      ["JHU", "UCI"],
      ["UCI", "ICU"],
      ["ICU", "JHU"],
    ] as const) {
      const probe = await Probe.start(this.#parts.lab, hostOf(one), hostOf(other))
      const times: number[] = []
      for (let i = 0; i < ROUND_TRIPS; i++) times.push(await probe.roundTripMs())
      await probe.close()
      const what = {
        experiment: "wan",
        network: "wan",
        event: `${one}-${other}`,
        metric: metrics.ROUND_TRIP,
        unit: "ms",
      }
      yield figureOf({ ...what, paper: roundTripBetween(one, other) }, times)
    }
  }

  /** One conference of `n`: in each run one of them leaves, another comes in its place, and some is said. */
  async measure(module: ModuleName, n: number, runs: number): Promise<Figure[]> {
    const samples = new Samples(module, n)
    const members: Opened[] = []
    try {
      for (let place = 0; place < n; place++) members.push(await this.#open(place))
      const [first, ...others] = members.map(({ member }) => member)
      const { url, calledMs } = await first!.enter(await this.#creation(module, others))
      for (const other of others) await other.enter({ url })
      await reached(members, n, calledMs)
      for (let run = -WARM_UP_RUNS; run < runs; run++) {
        if (run === 0) samples.clear()
        await this.#run(samples, members, leaverOf(run, n), url)
      }
      // Afterwards: links that fell silent stay on the server's relay for up to a minute, which messages would show.
      for (let run = 0; run < runs; run++) await this.#cut(samples, members)
      return samples.figures()
    } finally {
      for (const { member } of members) await member.close()
    }
  }

  /** Under majority the roster names everybody. */
  async #creation(module: ModuleName, others: readonly Member[]): Promise<Entry> {
    const entry = { server: this.#parts.server.origin, keyAgreement: module }
    if (module !== "majority") return entry
    const cards = await Promise.all(others.map((other) => other.card()))
    return { ...entry, admission: { policy: "roster", members: cards } }
  }

  /** Two sites are cut off from the third, and come back. */
  async #cut(samples: Samples, members: readonly Opened[]): Promise<void> {
    const far = members.filter((_, place) => isCutOff(place))
    const near = members.filter((_, place) => !isCutOff(place))
    const hosts = (isFar: boolean) => SITES.filter((site) => CUT_OFF.includes(site) === isFar).map(hostOf)
    const cut = new BusyShare()
    const cutMs = Date.now()
    await this.#parts.lab.cut([hosts(false), hosts(true)])
    const parts = await Promise.all([near, far].map((part) => reached(part, part.length, cutMs)))
    samples.rekey("partition", cutMs, parts.flat(), cut)
    await setTimeout(Math.max(0, cutMs + PARTED_MS - Date.now()))
    const healed = new BusyShare()
    const healedMs = Date.now()
    await this.#parts.lab.heal()
    samples.rekey("merge", healedMs, await reached(members, members.length, healedMs), healed)
  }

  async #run(samples: Samples, members: Opened[], place: number, url: string): Promise<void> {
    const n = members.length
    const leaver = members[place]!
    const staying = members.filter((one) => one !== leaver)
    const left = new BusyShare()
    const leftMs = await leaver.member.leave()
    samples.rekey("leave", leftMs, await reached(staying, n - 1, leftMs), left)
    // A roster names people: the one that left comes back. Elsewhere somebody new comes.
    if (samples.module !== "majority") {
      await leaver.member.close()
      members[place] = await this.#open(place)
    }
    const called = new BusyShare()
    const { calledMs } = await members[place]!.member.enter({ url })
    const all = await reached(members, n, calledMs)
    samples.rekey("join", calledMs, all, called)
    samples.add(metrics.REAL_NEWCOMER, "join", n - 1, all[place]!.securedMs - calledMs)
    // The simulator's links are direct from the start.
    await inTime(Promise.all(members.map(({ member }) => member.direct(n - 1))), "Members have no direct links")
    const sequencerSite = await siteOfSequencer(members)
    for (let i = 0; i < MESSAGES; i++) {
      for (const { member, site } of members.slice(0, SITES.length)) {
        const { id, sentMs } = await member.say(metrics.MESSAGE_BYTES)
        const arrivedMs = await Promise.all(members.map(({ member }) => member.arrived(id)))
        const ms = Math.max(...arrivedMs) - sentMs
        samples.add(metrics.REAL_AGREED, `from ${site}`, n, ms)
        samples.add(metrics.REAL_ORDERED, metrics.orderedEvent(site, sequencerSite), n, ms)
      }
    }
  }

  async #open(place: number): Promise<Opened> {
    const site = siteOf(place)
    const opener = isBrowser(place) ? this.#parts.browsers.get(site)! : this.#parts.node
    return { member: await opener.open(), site }
  }
}

async function partsIn(lab: Lab, built: PagePackage): Promise<Parts> {
  try {
    const host = hostOf(SERVER_SITE)
    // All that is measured has few addresses.
    const settings = { HOST: lab.address(host), WEB_DIR: "none", ADDRESS_SCALE: "1000" }
    const server = await ServerProcess.start(settings, lab.on(host))
    const browsers = new Map<Site, Opener>()
    for (const site of SITES) browsers.set(site, await openBrowser(lab, hostOf(site), server.origin, built))
    return { lab, server, built, browsers, node: openNode(lab, host) }
  } catch (error) {
    await lab.close()
    throw error
  }
}

function siteNamed(host: string): Site {
  return SITES.find((site) => hostOf(site) === host)!
}

async function siteOfSequencer(members: readonly Opened[]): Promise<Site> {
  const views = await Promise.all(members.map(({ member }) => member.view()))
  const { id, members: ids } = views[0]!
  const view = { id: id as ViewId, members: ids.map((id) => ({ id: id as MemberId, incarnation: 0 })) }
  const sequencer = ids[sequencerIndex(view)]
  return members[views.findIndex(({ self }) => self === sequencer)]!.site
}

/** @throws Error if they do not come to one secured view of so many */
function reached(members: readonly Opened[], count: number, sinceMs: number): Promise<Reached[]> {
  const all = Promise.all(members.map(({ member }) => member.reached(count, sinceMs)))
  return inTime(all, `${count} members have not come to one secured view`)
}

/** @throws Error that says so after a while */
async function inTime<T>(all: Promise<T>, otherwise: string): Promise<T> {
  const over = new AbortController()
  const late = setTimeout(WITHIN_MS, undefined, { signal: over.signal }).then(() => {
    throw new Error(`${otherwise} within ${WITHIN_MS / 1000} s.`)
  })
  try {
    return await Promise.race([all, late])
  } finally {
    late.catch(() => {})
    over.abort()
  }
}

class Samples {
  readonly module: ModuleName
  readonly #n: number
  readonly #values = new Map<string, { metric: string; event: string; n: number; values: number[] }>()

  constructor(module: ModuleName, n: number) {
    this.module = module
    this.#n = n
  }

  clear(): void {
    this.#values.clear()
  }

  add(metric: string, event: string, n: number, value: number): void {
    const key = `${metric}, ${event}`
    const sample = this.#values.get(key) ?? { metric, event, n, values: [] }
    this.#values.set(key, sample)
    sample.values.push(value)
  }

  rekey(event: RekeyEvent, calledMs: number, all: readonly Reached[], since: BusyShare): void {
    // Members before the event, of the larger part.
    const before = { join: this.#n - 1, leave: this.#n, partition: this.#n, merge: this.#n - CUT_OFF.length }[event]
    for (const [metric, of] of [
      [metrics.REAL_VIEW, (one: Reached) => one.viewMs],
      [metrics.REAL_KEY, (one: Reached) => one.keyMs],
      [metrics.REAL_SECURED, (one: Reached) => one.securedMs],
    ] as const) {
      this.add(metric, event, before, Math.max(...all.map(of)) - calledMs)
    }
    this.add(metrics.PROCESSORS, event, before, since.percent())
  }

  figures(): Figure[] {
    return [...this.#values.values()].map(({ metric, event, n, values }) => {
      const site = SITES.find((one) => event === `from ${one}`)
      const unit = metric === metrics.PROCESSORS ? "%" : "ms"
      const paper = site === undefined ? {} : { paper: PAPER_AGREED_MS[site] }
      const what = { experiment: "wan", module: this.module, event, n, network: "wan", metric, unit }
      return figureOf({ ...what, ...paper }, values)
    })
  }
}
