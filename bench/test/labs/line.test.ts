import { execFileSync } from "node:child_process"
import { LabUnavailable } from "@keymoot/e2e/hosts"
import { Line, missingForLine } from "@keymoot/e2e/line"
import { ip } from "@keymoot/e2e/namespaces"
import { Probe } from "@keymoot/e2e/probes"
import { expect, test, vi } from "vitest"

const missing = missingForLine()
if (missing !== null) console.log(`Skipped: a line between two hosts. ${missing}`)
const HOSTS = ["ada", "bob"] as const
const BYTES_PER_MBIT = 125_000

type Shaper = { readonly kind: string; readonly packets: number; readonly options: { readonly rate: number } }

/** The kernel's queueing disciplines at each end. */
function shapers(line: Line): readonly Shaper[] {
  return HOSTS.flatMap((host) => {
    const [command, ...before] = line.on(host)
    const told = execFileSync(command, [...before, "tc", "-s", "-j", "qdisc", "show", "dev", "wan0"], {
      encoding: "utf8",
    })
    return (JSON.parse(told) as Shaper[]).filter(({ kind }) => kind === "tbf")
  })
}
const rates = (line: Line): readonly number[] => shapers(line).map(({ options }) => options.rate)
const ownNamespaces = (): readonly string[] =>
  ip("netns", "list")
    .split("\n")
    .filter((name) => name.includes(`-${process.pid}-`))

test("without root there is no line, and the reason is said before anything is made", () => {
  const uid = vi.spyOn(process, "getuid").mockReturnValue(1000)
  try {
    expect(() => Line.start(HOSTS)).toThrow(LabUnavailable)
    expect(() => Line.start(HOSTS)).toThrow(process.platform === "linux" ? "must be root" : "on Linux")
  } finally {
    uid.mockRestore()
  }
})

test.skipIf(missing !== null)("two hosts exchange data both ways over the narrow line, and it is removed", async () => {
  expect(ownNamespaces(), "of asking what is missing").toEqual([])
  const line = Line.start(HOSTS)
  try {
    const probe = await Probe.start(line, "ada", "bob")
    await probe.roundTripMs()
    expect(rates(line)).toEqual([])

    line.narrow(20)
    line.narrow(100)
    expect(rates(line)).toEqual([100 * BYTES_PER_MBIT, 100 * BYTES_PER_MBIT])
    await probe.ask(20)
    await probe.roundTripMs()
    const [there, back] = shapers(line).map(({ packets }) => packets)
    expect(there).toBeGreaterThanOrEqual(21)
    expect(back).toBeGreaterThanOrEqual(1)

    line.widen()
    line.widen()
    expect(rates(line)).toEqual([])
    await probe.roundTripMs()
    await probe.close()
  } finally {
    line.close()
  }
  expect(ownNamespaces()).toEqual([])
})
