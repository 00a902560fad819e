import type { Experiment } from "../experiment/experiment.ts"
import { type Figure, figureOf } from "../experiment/figure.ts"
import { MODES, Relay, STEPS, type Mode, type Step } from "./relay.ts"
import { verifiersOf } from "./schemes.ts"
import { medianOf, withUnit } from "../experiment/story.ts"

/** Packets a second of FAIN's active node. */
const PAPER: Readonly<Partial<Record<Mode, number>>> = {
  "no cache": 396,
  "credential cache": 1190,
  "hop protection only": 7000,
}
const PACKETS = { quick: 40, whole: 300 }
const [SCHEME_RATE, VERIFICATIONS] = ["packets of 1 KB through a member, by signature", "signatures verified"]
const [RATE, PART] = ["packets of 1 KB through a member", "of the time of a packet"]

/** With the credential cache, as most packets are. Schemes take turns; the first run only warms up. */
async function* bySignature(relay: Relay, runs: number, packets: number): AsyncGenerator<Figure> {
  relay.breakDown = false
  const all = (await verifiersOf(relay.signedBytes())).map((verifier) => ({
    ...verifier,
    rates: [] as number[],
    alone: [] as number[],
  }))
  for (let run = 0; run <= runs; run++) {
    for (const { name, verify, rates, alone } of all) {
      const arriving = relay.packets(packets)
      const startMs = performance.now()
      for (const packet of arriving) {
        if ((await relay.pass(packet, "credential cache", verify)) === null) throw new Error(`${name} refused a packet`)
      }
      const passedMs = performance.now()
      for (let i = 0; i < packets; i++) await verify()
      if (run === 0) continue
      rates.push((packets * 1000) / (passedMs - startMs))
      alone.push((packets * 1000) / (performance.now() - passedMs))
    }
  }
  for (const { name, rates, alone } of all) {
    const what = { experiment: "forward", module: name, unit: "per second" }
    yield figureOf({ ...what, metric: SCHEME_RATE }, rates)
    yield figureOf({ ...what, metric: VERIFICATIONS }, alone)
  }
}

export const forwardExperiment: Experiment = {
  name: "forward",
  about:
    "Packets through a forwarding member: no cache, credential cache, bad-credential cache, hop protection only; what each step costs.",
  takes: {},
  run: async function* ({ runs, quick }, progress) {
    const count = runs ?? (quick ? 3 : 9)
    const packets = quick ? PACKETS.quick : PACKETS.whole
    const relay = await Relay.create()
    const rates = new Map<Mode, number[]>(MODES.map((mode) => [mode, []]))
    // One mode after another in each run, so that a busy moment falls on all of them; the first run only warms up.
    for (let run = 0; run <= count; run++) {
      progress(run, count + 1)
      for (const mode of MODES) {
        const arriving = relay.packets(packets)
        const startMs = performance.now()
        for (const packet of arriving) await relay.pass(packet, mode)
        if (run > 0) rates.get(mode)!.push((packets * 1000) / (performance.now() - startMs))
      }
    }
    for (const mode of MODES) {
      const paper = PAPER[mode]
      yield figureOf(
        { experiment: "forward", event: mode, metric: RATE, unit: "per second", ...(paper && { paper }) },
        rates.get(mode)!,
      )
    }
    relay.breakDown = true
    for (const mode of MODES) {
      const parts = new Map(STEPS.map((step) => [step, [] as number[]]))
      for (let run = 0; run < count; run++) {
        relay.spentMs.clear()
        for (const packet of relay.packets(packets)) await relay.pass(packet, mode)
        const all = [...relay.spentMs.values()].reduce((sum, ms) => sum + ms, 0)
        for (const [step, ms] of relay.spentMs) parts.get(step)!.push((100 * ms) / all)
      }
      for (const [step, values] of parts) {
        if (values.length === 0) continue
        yield figureOf({ experiment: "forward", event: mode, metric: `${step}, ${PART}`, unit: "%" }, values)
      }
    }
    yield* bySignature(relay, count, packets)
    progress(1, 1)
  },
  report: (figures) => {
    const lines = MODES.map((mode) => {
      const rate = figures.find(({ event, metric }) => event === mode && metric === RATE)!
      const parts = figures
        .filter(({ event, unit }) => event === mode && unit === "%")
        .map(({ metric, median }) => `${metric.split(",")[0]} ${median} %`)
      return `${mode}: ${rate.median} packets a second (${rate.min} to ${rate.max}, ${rate.runs} runs; the paper: ${rate.paper ?? "–"})\n  ${parts.join(", ")}`
    })
    const schemes = figures
      .filter(({ metric }) => metric === SCHEME_RATE)
      .map(
        ({ module, median, min, max, runs }) =>
          `${module}: ${median} packets a second (${min} to ${max}, ${runs} runs)`,
      )
    return [...lines, ...schemes].join("\n")
  },
  shows: {
    plots: [
      {
        title: "Packets of 1 KB a second through a member",
        of: ({ metric }) => metric === RATE,
        bar: ({ event }) => event!,
        scale: "log",
      },
      {
        title: "Parts of a packet's time",
        of: ({ unit }) => unit === "%",
        bar: ({ event, metric }) => `${event}: ${metric.split(",")[0]}`,
        scale: "linear",
      },
      {
        title:
          "By signature scheme and library: packets of 1 KB a second with the credential cache, and signatures alone",
        of: ({ metric }) => metric === SCHEME_RATE || metric === VERIFICATIONS,
        bar: ({ module, metric }) => `${module}${metric === VERIFICATIONS ? ", alone" : ""}`,
        scale: "log",
      },
    ],
    paper:
      "An active node passes 396 packets a second without a cache, and 1190 with the credential cache. Hop protection alone lets more than 7000 pass. Without a cache 85 % of the time goes into credential and signature and 8 % into hops. With the cache it is 50 and 25 %.\n\nWith RSA keys of 512, 768 and 1024 bits 1340, 1190 and 1003 packets a second pass. Bouncy Castle verifies 1428 signatures a second, and OpenSSL 3550. (FAIN, section 5 and figure 1).",
    found: (figures) => {
      const rate = (event: Mode) => medianOf(figures, { event, metric: RATE })
      const part = (event: Mode, step: Step) => medianOf(figures, { event, metric: `${step}, ${PART}` })
      const schemes = figures
        .filter(({ metric }) => metric === SCHEME_RATE)
        .map(({ module, median }) => `${module} forwards ${withUnit(median, "per second")}`)
      const bySchemes =
        schemes.length === 0
          ? "Signature schemes and libraries: not measured."
          : `The same with other schemes and libraries: ${schemes.join(". ")}.`
      return `A member forwards ${rate("no cache")} without a cache, ${rate("credential cache")} with the credential cache, and ${rate("hop protection only")} with hop protection alone. It drops ${rate("bad-credential cache")} under a certificate that is known to be bad.\n\nWithout a cache the certificate takes ${part("no cache", "certificate checked")} of the time and the packet's signature ${part("no cache", "signature verified")}. With the cache the signature takes ${part("credential cache", "signature verified")}.\n\n${bySchemes}`
    },
    why: "Without the cache a certificate is parsed and its signature verified for each packet. With it only the packet's own signature is verified, which is then nearly all of the work. Hop protection is symmetric. A frame is passed on unchanged, neither parsed into objects nor encoded anew as FAIN's are.",
  },
}
