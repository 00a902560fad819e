import { KEY_AGREEMENT_NAMES, loadSodiumGroup, type PrimeOrderGroup } from "@keymoot/gke"
import { nobleGroup } from "@keymoot/gke/testing"
import type { Experiment, Plot } from "../experiment/experiment.ts"
import type { Figure } from "../experiment/figure.ts"
import { GENERATOR, MULTIPLICATION, operationsOf, WEB_CRYPTO, webCryptoOperations } from "./operations.ts"
import { p256Group } from "./p256.ts"
import { Machine } from "../experiment/machine.ts"
import { AGREEMENT, measureAgreement } from "../rekey/measure.ts"
import { ifMeasured, medianOf } from "../experiment/story.ts"

const SIZES = { quick: [4, 8], full: [4, 8, 16, 32, 50] }
const RUNS = { quick: 2, full: 5 }
/** A run of the slow groups takes seconds. */
const EVENT_RUNS_MAX = 3
const NETWORK = "lan"
const OPERATIONS = 9

const SODIUM = "ristretto255 (libsodium)"
const NOBLE = "ristretto255 (noble)"
const P256 = "P-256 (noble)"

const labelOf = (module: string, group: string): string => `${module}, ${group}`

const plots: readonly Plot[] = [
  {
    title: "Single operations",
    of: ({ event }) => event === undefined,
    bar: ({ module, metric }) => `${module}: ${metric}`,
    scale: "log",
  },
  ...KEY_AGREEMENT_NAMES.flatMap((module) =>
    (["leave", "join"] as const).map((event): Plot => ({
      title: `${event} under ${module}, LAN: from the view to the key at every member`,
      of: (figure) => figure.event === event && figure.module!.startsWith(`${module}, `),
      x: { label: "members before the event", at: ({ n }) => n! },
      series: (figure) => figure.module!.slice(module.length + 2),
      scale: "log",
    })),
  ),
]

export const groupsExperiment: Experiment = {
  name: "groups",
  about: "ristretto255 by libsodium and by noble, and P-256: single operations, and whole events of each module.",
  takes: { modules: KEY_AGREEMENT_NAMES, sizes: { what: "members", least: 2, most: 100 } },
  run: async function* (options, progress) {
    const size = options.quick ? "quick" : "full"
    const sizes = options.sizes ?? SIZES[size]
    const modules = KEY_AGREEMENT_NAMES.filter((name) => !options.modules || options.modules.includes(name))
    const runs = options.runs ?? RUNS[size]
    const groups: readonly (readonly [string, PrimeOrderGroup])[] = [
      [SODIUM, await loadSodiumGroup()],
      [NOBLE, nobleGroup],
      [P256, p256Group],
    ]
    for (const [name, group] of groups) yield* await operationsOf(name, group, options.runs ?? OPERATIONS)
    yield* await webCryptoOperations(options.runs ?? OPERATIONS)
    const of = groups.length * modules.length * sizes.reduce((sum, n) => sum + n * n, 0)
    let done = 0
    for (const n of sizes) {
      for (const module of modules) {
        for (const [name, group] of groups) {
          progress(done, of)
          const eventRuns = Math.min(runs, EVENT_RUNS_MAX)
          const figures = await measureAgreement(module, group, new Machine(group), n, [NETWORK], eventRuns)
          for (const figure of figures) yield { ...figure, experiment: "groups", module: labelOf(module, name) }
          done += n * n
        }
      }
    }
    progress(of, of)
  },
  shows: {
    plots,
    paper:
      "Moduli of 512 and 1024 bits change the order of the protocols. With 512 bits BD is the worst from thirty members on, because its signatures and broadcasts outweigh its exponentiations. With 1024 bits GDH is the worst at joins and STR at leaves. TGDH takes twice as long then (Amir, Kim, Nita-Rotaru and Tsudik, section 6.1 and figures 11 and 12).",
    found,
    why: "A slower group acts as a longer modulus does: modules with many multiplications in a row lose, and those with many messages do not. libsodium's WebAssembly and noble's JavaScript compute the same group, so between them only the library differs. WebCrypto's P-256 gives the x-coordinate of a product alone. No module can go on with it, so it has single operations only.",
  },
}

function found(figures: readonly Figure[]): string {
  const most = Math.max(...figures.flatMap(({ event, n }) => (event === "leave" ? [n!] : [])), 0)
  const one = (module: string, metric = MULTIPLICATION) => medianOf(figures, { module, metric })
  const leave = (module: string, group: string) =>
    medianOf(figures, { module: labelOf(module, group), event: "leave", n: most, metric: AGREEMENT })
  const all = (group: string) => KEY_AGREEMENT_NAMES.map((name) => `${name} ${leave(name, group)}`).join(", ")
  return ifMeasured(
    "All modules and groups",
    `One multiplication takes ${one(SODIUM)} with libsodium, ${one(NOBLE)} with noble, ${one(P256)} on P-256 with noble and ${one(WEB_CRYPTO)} with WebCrypto. One of the generator takes ${one(SODIUM, GENERATOR)}, ${one(NOBLE, GENERATOR)}, ${one(P256, GENERATOR)} and ${one(WEB_CRYPTO, GENERATOR)} there.\n\nA leave from ${most} takes ${all(SODIUM)} with libsodium. It takes ${all(NOBLE)} with noble. It takes ${all(P256)} on P-256 with noble.`,
  )
}
