import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { LabUnavailable } from "@keymoot/e2e/hosts"
import { Lab } from "@keymoot/e2e/lab"
import { ip, missingForLab } from "@keymoot/e2e/namespaces"
import { Probe } from "@keymoot/e2e/probes"
import { expect, test, vi } from "vitest"
import { Unavailable } from "../../src/experiment/experiment.ts"
import { wanExperiment } from "../../src/wan/wan-experiment.ts"

const missing = missingForLab()
if (missing !== null) console.log(`Skipped: a lab of several hosts. ${missing}`)
const ONE_WAY_MS = 40
const plan = { hosts: ["ada", "bob"], path: () => ({ oneWayMs: ONE_WAY_MS }) }

const namespaces = (): readonly string[] =>
  ip("netns", "list")
    .split("\n")
    .map((line) => line.split(" ")[0]!)

test("without root there is no lab, and the reason is said before anything is made", async () => {
  const uid = vi.spyOn(process, "getuid").mockReturnValue(1000)
  try {
    await expect(Lab.start(plan)).rejects.toThrow(LabUnavailable)
    await expect(Lab.start(plan)).rejects.toThrow(process.platform === "linux" ? "must be root" : "on Linux")
    const figures = wanExperiment.run({}, () => {}) as AsyncGenerator
    await expect(figures.next()).rejects.toThrow(Unavailable)
  } finally {
    uid.mockRestore()
  }
})

test.skipIf(missing !== null)(
  "delays packets between hosts, loses the stated share, passes none after a cut",
  async () => {
    const lab = await Lab.start(plan)
    try {
      const probe = await Probe.start(lab, "ada", "bob")
      expect(await probe.roundTripMs()).toBeGreaterThanOrEqual(2 * ONE_WAY_MS - 1)

      await lab.cut([["ada"], ["bob"]])
      const during = await probe.ask(20)
      await lab.heal()
      await probe.roundTripMs()
      const answered = new Set(probe.answers.map(({ number }) => number))
      expect(during.filter((number) => answered.has(number))).toEqual([])

      await lab.setPath("ada", "bob", { oneWayMs: 1, loss: 0.3 })
      const lossy = await probe.ask(200)
      await lab.setPath("ada", "bob", { oneWayMs: 1 })
      await probe.roundTripMs()
      const came = probe.answers.filter(({ number }) => lossy.includes(number)).length
      expect(came).toBeGreaterThan(0)
      expect(came).toBeLessThan(lossy.length)
      await probe.close()
    } finally {
      await lab.close()
    }
    expect(namespaces().filter((name) => name.includes(`-${process.pid}-`))).toEqual([])
  },
)

test.skipIf(missing !== null)("passes no more than a host's narrow line carries", async () => {
  const megabits = 0.01
  const lab = await Lab.start({ ...plan, megabits: { ada: megabits } })
  try {
    const probe = await Probe.start(lab, "ada", "bob")
    const sinceMs = performance.now()
    await probe.ask(100)
    await probe.roundTripMs()
    const seconds = (performance.now() - sinceMs) / 1000
    // Each has headers of IP and UDP, and at least a digit.
    const megabitsPassed = (probe.answers.length * (28 + 1) * 8) / 1_000_000
    expect(megabitsPassed).toBeGreaterThan(0)
    expect(megabitsPassed).toBeLessThanOrEqual(megabits * seconds)
    await probe.close()
  } finally {
    await lab.close()
  }
})

test.skipIf(missing !== null)(
  "leaves nothing of a killed lab, whether its router or the next lab cleans up",
  async () => {
    const script = `
      import { spawn } from "node:child_process"
      import { Lab } from "@keymoot/e2e/lab"
      const lab = await Lab.start({ hosts: ["eve"], path: () => ({ oneWayMs: 1 }) })
      const [command, ...before] = lab.on("eve")
      spawn(command, [...before, "sleep", "1000"], { stdio: "ignore", detached: true })
      console.log("up")`
    const args = ["--conditions=keymoot-source", "--input-type=module", "--eval", script]
    const killed = spawn(process.execPath, args, { cwd: import.meta.dirname, stdio: ["ignore", "pipe", "inherit"] })
    await once(killed.stdout, "data")
    const ofKilled = `keymoot-lab-${killed.pid}-`
    expect(namespaces().some((name) => name.startsWith(ofKilled))).toBe(true)
    const inside = () => ip("netns", "pids", `${ofKilled}eve`).split("\n").filter(Boolean)
    await expect.poll(inside, { timeout: 30_000 }).not.toEqual([])
    const left = inside()
    await end(killed)
    await expect.poll(() => namespaces().some((name) => name.startsWith(ofKilled)), { timeout: 30_000 }).toBe(false)
    await expect.poll(() => left.filter(isAlive), { timeout: 30_000 }).toEqual([])

    ip("netns", "add", `${ofKilled}left`)
    const lab = await Lab.start(plan)
    await lab.close()
    expect(namespaces()).not.toContain(`${ofKilled}left`)
  },
)

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit")
  child.kill("SIGKILL")
  await ended
}

/** Not so of one that has ended and that nobody has asked how. */
function isAlive(pid: string): boolean {
  try {
    return !/\) [XZ] /u.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return false
  }
}
