/** The server's capacity: one process on this machine, with thousands of clients simulated by this process. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { figureOf, type Figure } from "../experiment/figure.ts"
import { LoadClients } from "./load-clients.ts"
import { type MeasuredServer, startMeasuredServer } from "./measured-server.ts"

export type LoadSize = {
  readonly clients: number
  readonly rooms: number
  /** To one member of the sender's room each, with an offer's worth of bytes. */
  readonly signalsPerSecond: number
  readonly seconds: number
  /** Time after the start that does not count as rest. */
  readonly settleMs: number
}

export const WHOLE: LoadSize = { clients: 5_000, rooms: 500, signalsPerSecond: 2_000, seconds: 20, settleMs: 3_000 }
export const QUICK: LoadSize = { clients: 500, rooms: 50, signalsPerSecond: 500, seconds: 5, settleMs: 1_000 }

/** @param runs servers started, filled and loaded, one after the other */
export async function load(runs: number, size: LoadSize): Promise<Figure[]> {
  const values = new Map<string, { readonly unit: string; readonly values: number[] }>()
  const note: Note = (metric, unit, value) => {
    const known = values.get(metric) ?? { unit, values: [] }
    values.set(metric, known)
    known.values.push(value)
  }
  for (let run = 0; run < runs; run++) await loadOnce(size, note)
  return [...values].map(([metric, { unit, values }]) =>
    figureOf({ experiment: "load", metric, unit, n: size.clients }, values),
  )
}

type Note = (metric: string, unit: string, value: number) => void

async function loadOnce(size: LoadSize, note: Note): Promise<void> {
  const compileCache = mkdtempSync(join(tmpdir(), "keymoot-cache-"))
  try {
    const cold = await startMeasuredServer(compileCache)
    note("start without a compile cache", "ms", cold.startMs)
    await cold.stop()
    await loadServer(await startMeasuredServer(compileCache), size, note)
  } finally {
    rmSync(compileCache, { recursive: true })
  }
}

async function loadServer(server: MeasuredServer, size: LoadSize, note: Note): Promise<void> {
  try {
    note("start with a compile cache", "ms", server.startMs)
    await settle(size.settleMs)
    note("resident memory, idle", "MB", server.residentMegabytes())

    const clients = new LoadClients(server.url)
    try {
      const sinceMs = performance.now()
      await clients.enter(size.clients, size.rooms)
      note("clients connected and in their rooms", "per second", (size.clients / (performance.now() - sinceMs)) * 1000)
      await settle(size.settleMs)
      note(`resident memory, in ${size.rooms} rooms`, "MB", server.residentMegabytes())

      const processorMs = server.processorMs()
      const { rate, delaysMs, lost } = await clients.signal(size.signalsPerSecond, size.seconds)
      note("signals", "per second", rate)
      note("signals lost or refused", "count", lost)
      note("signal sent to signal there, median", "ms", at(delaysMs, 0.5))
      note("signal sent to signal there, 99 %", "ms", at(delaysMs, 0.99))
      note("processor, of one core", "%", (server.processorMs() - processorMs) / (size.seconds * 10))
      note("resident memory, under load", "MB", server.residentMegabytes())
    } finally {
      clients.close()
    }
  } finally {
    await server.stop()
  }
}

function at(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN
}

function settle(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms))
}
