import type { LoopbackNetwork } from "@keymoot/transport/testing"
import { vi } from "vitest"
import { computing } from "../flow/computing.ts"

/** Time of a run: that of this machine, or virtual time in which nothing waits. */
export type Clock = {
  now(): number
  sleep(ms: number): Promise<void>
  end(): void
}

export function realClock(): Clock {
  return {
    now: () => performance.now(),
    sleep: (ms) => new Promise((done) => void setTimeout(done, ms)),
    end: () => undefined,
  }
}

const STEP_MS = 50
/** Turns of the event loop without work after which all members wait for a timer. */
const IDLE_TURNS = 4
const { setImmediate } = globalThis

/** Replaces the timers and clocks of this process until `end`. */
export function virtualClock(network: Pick<LoopbackNetwork, "pending">): Clock {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"] })
  const settle = async (): Promise<void> => {
    for (let idle = 0; idle < IDLE_TURNS; idle++) {
      await new Promise<void>((turn) => void setImmediate(turn))
      if (computing.operations > 0 || network.pending > 0) idle = 0
    }
  }
  return {
    now: () => performance.now(),
    sleep: async (ms) => {
      for (const untilMs = performance.now() + ms; performance.now() < untilMs;) {
        await settle()
        vi.advanceTimersByTime(STEP_MS)
      }
      await settle()
    },
    end: () => void vi.useRealTimers(),
  }
}
