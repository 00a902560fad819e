import { expect, test } from "vitest"
import type { HostCommand, HostEvent } from "../../src/port/port.ts"
import { Random } from "../../src/testing/random/random.ts"
import { TestConference } from "./conference.ts"
import type { TestMember } from "./member.ts"

const NAMES = ["a", "b", "c"] as const
const [TICK_MS, FAULTS] = [50, 12]
/** `npm run test:all` plays more. */
const SEEDS = process.env["RUNS"] === "full" ? 3 : 1
/** The same random numbers for faults and messages, whatever the members draw. */
const FAULT_SEED = 0x5eed

type Run = { readonly commands: readonly string[]; readonly ticks: number }

/** Ticks a member, or omits a tick that its mesh does not need. */
class Rest {
  ticks = 0
  #omittedMs: number | null = null
  #stirred = true
  readonly #member: TestMember
  readonly #isOmitting: boolean

  constructor(member: TestMember, isOmitting: boolean) {
    this.#member = member
    this.#isOmitting = isOmitting
    const { mesh } = member
    const handle = mesh.handle.bind(mesh)
    mesh.handle = (event: HostEvent) => {
      this.rouse()
      handle(event)
    }
  }

  tick(nowMs: number): void {
    const { mesh } = this.#member
    if (this.#isOmitting && !this.#stirred && nowMs < mesh.nextTickMs) this.#omittedMs = nowMs
    else this.#run(nowMs)
  }

  #run(nowMs: number): void {
    this.#omittedMs = null
    this.#stirred = false
    this.ticks++
    this.#member.mesh.tick(nowMs)
  }

  /** Before an input. */
  rouse(): void {
    if (this.#omittedMs !== null) this.#run(this.#omittedMs)
    this.#stirred = true
  }
}

/** Paths break, fall silent and are mended, the server goes and comes back, and messages are sent. */
async function run(seed: number, isOmitting: boolean): Promise<Run> {
  const conference = new TestConference(NAMES.length, seed)
  const faults = new Random(seed ^ FAULT_SEED)
  const { network } = conference
  const members = NAMES.map((name, i) => conference.join(name, conference.identity(i)))
  const rests = members.map((member) => new Rest(member, isOmitting))
  const commands: string[] = []
  /** Members that get no frames. */
  const deaf = new Set<string>()
  network.onDelivery = (to, event) => (event.type === "peer-frames" && deaf.has(to) ? [] : [event])
  let seen = members.map(() => 0)
  const pass = async (ms: number): Promise<void> => {
    for (const untilMs = conference.nowMs + ms; conference.nowMs < untilMs;) {
      conference.nowMs += TICK_MS
      for (const rest of rests) rest.tick(conference.nowMs)
      await network.run()
      for (const [i, member] of members.entries())
        for (const command of member.commands.slice(seen[i]))
          commands.push(`${conference.nowMs} ${NAMES[i]} ${describe(command)}`)
      seen = members.map((member) => member.commands.length)
    }
  }
  const disturb = (): void => {
    const [a, b] = [faults.pick(NAMES), faults.pick(NAMES)]
    const kind = faults.integer(7)
    if (kind === 0) network.setServer(faults.chance(0.5) ? "down" : "up")
    else if (kind === 1 && a !== b) network.cut(a, b)
    else if (kind === 2 && a !== b) network.cutDirect(a, b)
    else if (kind < 5) deaf.add(a)
    else {
      deaf.clear()
      for (const other of NAMES) if (other !== a) network.mend(a, other)
    }
  }
  await pass(2000)
  for (let i = 0; i < FAULTS; i++) {
    disturb()
    await pass(faults.integer(60) * TICK_MS)
    const [from, to] = [faults.integer(NAMES.length), faults.integer(NAMES.length)]
    rests[from]!.rouse()
    if (from !== to) members[from]!.mesh.send(members[to]!.member, faults.bytes(8))
    await pass(faults.integer(100) * TICK_MS)
  }
  return { commands, ticks: rests.reduce((sum, { ticks }) => sum + ticks, 0) }
}

function describe(command: HostCommand): string {
  return `${command.type} ${"connectionId" in command ? command.connectionId : ""}`
}

test("sends the same at the same times when ticks that are not needed are omitted", { timeout: 120_000 }, async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const [every, needed] = [await run(seed, false), await run(seed, true)]
    expect(needed.commands, `seed ${seed}`).toEqual(every.commands)
    expect(needed.ticks).toBeLessThan(every.ticks)
  }
})
