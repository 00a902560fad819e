import { LoopbackNetwork } from "@keymoot/transport/testing"
import type { HostEvent, HostFactory } from "@keymoot/transport/host"
import { LinkedMember, type LinkedMemberConfig } from "../../src/testing/index.ts"
import { computing } from "./computing.ts"
import { SharedLine } from "./shared-line.ts"

const STEP_MS = 10
const TICK_MS = 50
/** Headers of a packet. */
const HEADER_BYTES = 60

type Downlink = {
  readonly bytesPerMs: number
  freeAtMs: number
  readonly waiting: { atMs: number; event: HostEvent }[]
}

/** Whole drivers and meshes over in-memory links in virtual time; some of them behind a slow line. */
export class VirtualRoom {
  readonly network = new LoopbackNetwork()
  readonly members: LinkedMember[] = []
  nowMs = 0
  readonly #times
  readonly #meshMax: number | undefined
  readonly #downlinks = new Map<string, Downlink>()
  readonly #uplinks = new Map<LinkedMember, SharedLine>()
  readonly #released = new WeakSet<HostEvent>()

  /** `meshMax`: as in `OverlayLinksConfig`. */
  constructor(times: Parameters<typeof LinkedMember.start>[0]["times"], meshMax?: number) {
    this.#times = times
    this.#meshMax = meshMax
    this.network.onDelivery = (to, event) => {
      const line = this.#downlinks.get(to)
      if (!line || event.type !== "peer-frames" || this.#released.has(event)) return [event]
      const bytes = event.frames.reduce((sum, frame) => sum + frame.length, 0)
      line.freeAtMs = Math.max(line.freeAtMs, this.nowMs) + bytes / line.bytesPerMs
      line.waiting.push({ atMs: line.freeAtMs, event })
      return []
    }
  }

  async join(
    name: string,
    onEvent: LinkedMemberConfig["onEvent"],
    onLink: LinkedMemberConfig["onLink"] = () => false,
  ): Promise<LinkedMember> {
    let uplink: () => SharedLine | undefined = () => undefined
    const host = behind(this.network.createHost(name), () => uplink())
    const member = await LinkedMember.start({
      name,
      host,
      times: this.#times,
      onEvent,
      onLink,
      nowMs: this.nowMs,
      meshMax: this.#meshMax,
    })
    uplink = () => this.#uplinks.get(member)
    this.members.push(member)
    return member
  }

  /** From now on all that the member sends shares this much, over links with others and over the server. */
  slowUplink(member: LinkedMember, bytesPerSecond: number): void {
    this.#uplinks.set(member, new SharedLine(bytesPerSecond))
  }

  /** From now on all that comes for it shares this much; 0: nothing comes through. */
  slowDown(name: string, bytesPerSecond: number): void {
    this.#downlinks.set(name, { bytesPerMs: bytesPerSecond / 1000, freeAtMs: this.nowMs, waiting: [] })
  }

  /** It has no time for that long: nothing happens there, and what comes waits. */
  pause(member: LinkedMember, name: string, forMs: number): void {
    const untilMs = this.nowMs + forMs
    this.#paused.set(member, untilMs)
    const { waiting } = this.#downlinks.get(name) ?? { waiting: [] }
    this.#downlinks.set(name, { bytesPerMs: Infinity, freeAtMs: untilMs, waiting })
  }
  readonly #paused = new Map<LinkedMember, number>()

  async run(forMs: number, each: () => void = () => {}, stepMs = STEP_MS): Promise<void> {
    for (const untilMs = this.nowMs + forMs; this.nowMs < untilMs;) {
      this.nowMs += stepMs
      for (const [name, { waiting }] of this.#downlinks) {
        while (waiting[0] && waiting[0].atMs <= this.nowMs) {
          const { event } = waiting.shift()!
          this.#released.add(event)
          this.network.inject(name, event)
        }
      }
      for (const line of this.#uplinks.values()) line.carry(stepMs)
      // Ticks for any step and start: a room without ticks would never suspect a member.
      const isTick = Math.floor(this.nowMs / TICK_MS) > Math.floor((this.nowMs - stepMs) / TICK_MS)
      for (const member of isTick ? this.members : []) {
        if ((this.#paused.get(member) ?? 0) <= this.nowMs) member.tick(this.nowMs)
      }
      await this.#settle()
      each()
    }
  }

  async runUntil(condition: () => boolean, withinMs: number): Promise<boolean> {
    for (const untilMs = this.nowMs + withinMs; this.nowMs < untilMs && !condition();) await this.run(STEP_MS)
    return condition()
  }

  async #settle(): Promise<void> {
    do {
      this.network.drain()
      await new Promise((done) => setImmediate(done))
    } while (computing.operations > 0 || this.network.pending > 0)
  }
}

/** A host whose frames pass a line, if it has one. */
function behind(host: HostFactory, uplink: () => SharedLine | undefined): HostFactory {
  return (onEvent) => {
    const inner = host(onEvent)
    return {
      ...inner,
      post: (command) => {
        const line = uplink()
        if (!line || command.type !== "peer-send") return inner.post(command)
        for (const frame of command.frames) {
          line.put(command.connectionId, frame.length + HEADER_BYTES, () => inner.post({ ...command, frames: [frame] }))
        }
      },
    }
  }
}
